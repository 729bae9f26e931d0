export const loader = () => new Response('still')
