import type { RequestHandler } from './$types'

export const GET: RequestHandler = async ({ locals }) => {
  const session = await locals.auth()
  const name = session?.user?.name
  const parts = [`${name} first, `, `${name} second`]
  const stream = new ReadableStream<string>({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(part)
    },
  })
  return new Response(stream.pipeThrough(new TextEncoderStream()))
}
