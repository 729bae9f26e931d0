/** How much of a body is read that nobody wants, in bytes: more than any form of ours, and no burden. */
const MAX_BYTES = 2 ** 20

/**
 * A body that may be left half read. SvelteKit would cut the connection then, on Node, and whoever sends it would
 * never see the answer.
 */
export function drainIfCancelled(
  body: ReadableStream<Uint8Array> | null,
): ReadableStream<Uint8Array> | null {
  if (!body) return null
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel() {
      // Not waited for: the answer is given meanwhile.
      readOn(reader).catch(() => {})
    },
  })
}

async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let read = 0; read < MAX_BYTES; ) {
    const { done, value } = await reader.read()
    if (done) return
    read += value.byteLength
  }
  await reader.cancel()
}
