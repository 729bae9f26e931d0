export const GET = () => new Response('still')
