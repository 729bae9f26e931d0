/** A stream that does something before its first chunk: until then, headers can be changed. */
export function beforeFirstChunk(
  stream: ReadableStream<unknown>,
  prepare: () => Promise<void>,
): ReadableStream<unknown> {
  let isPrepared = false
  async function prepareOnce(): Promise<void> {
    if (isPrepared) return
    isPrepared = true
    await prepare()
  }
  return stream.pipeThrough(
    new TransformStream<unknown, unknown>({
      async transform(chunk, controller) {
        await prepareOnce()
        controller.enqueue(chunk)
      },
      flush: prepareOnce,
    }),
  )
}
