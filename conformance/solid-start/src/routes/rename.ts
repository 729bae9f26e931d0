import type { APIEvent } from '@solidjs/start/server'
import { auth } from '../auth'

export async function POST({ request }: APIEvent) {
  const name = (await request.formData()).get('name')
  return Response.json(await auth.update({ name }))
}
