import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/stream')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const name = (await auth.getSession(request))?.user?.name
        const texts = [`${name} first, `, `${name} second`]
        const chunks = texts.map(text => new TextEncoder().encode(text))
        return new Response(
          new ReadableStream({
            pull(stream) {
              const chunk = chunks.shift()
              if (chunk) stream.enqueue(chunk)
              else stream.close()
            },
          }),
        )
      },
    },
  },
})
