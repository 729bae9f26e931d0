/** Lets other requests have a turn, in the midst of something that takes long. */
export function othersFirst(): Promise<void> {
  // Not `setImmediate`, which the edge does not have.
  return new Promise(resolve => {
    setTimeout(resolve)
  })
}
