import type { APIRoute } from 'astro'
import { auth } from '../auth'

export const GET: APIRoute = async context => {
  const name = (await auth.getSession(context))?.user?.name
  const chunks = [`${name} first, `, `${name} second`].map(text => new TextEncoder().encode(text))
  return new Response(
    new ReadableStream({
      pull(stream) {
        const chunk = chunks.shift()
        if (chunk) stream.enqueue(chunk)
        else stream.close()
      },
    }),
  )
}
