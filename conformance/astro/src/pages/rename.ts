import type { APIRoute } from 'astro'
import { auth } from '../auth'

export const POST: APIRoute = async context => {
  const name = (await context.request.formData()).get('name')
  return Response.json(await auth.update(context, { name }))
}
