export default defineEventHandler(() => new Response('still'))
