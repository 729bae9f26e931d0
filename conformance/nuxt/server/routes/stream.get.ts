export default defineEventHandler(async event => {
  const name = (await auth.getSession(event))?.user?.name
  const parts = [`${name} first, `, `${name} second`]
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const part = parts.shift()
      if (part === undefined) controller.close()
      else controller.enqueue(new TextEncoder().encode(part))
    },
  })
})
