import { auth } from '../../auth'

export async function GET() {
  const name = (await auth())?.user?.name
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
