import { auth } from '../auth.server'
import type { Route } from './+types/stream'

export async function loader(args: Route.LoaderArgs) {
  const name = (await auth.getSession(args))?.user?.name
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
