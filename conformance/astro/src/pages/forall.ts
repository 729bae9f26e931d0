import type { APIRoute } from 'astro'

const forAll = new Response(null, { status: 302, headers: { location: '/' } })

export const GET: APIRoute = async ({ locals }) => {
  await locals.auth()
  return forAll
}
