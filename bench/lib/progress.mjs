let parts = 1
let finished = 0

/** Says that what follows comes in so many parts, each of which goes from nothing to all. */
export function expectParts(count) {
  parts = count
  finished = 0
}

/** Tells whoever started this benchmark how much of a part is done, for its bar. */
export function progress(share) {
  process.send?.({ share: Math.min(1, (finished + share) / parts) })
  if (share >= 1) finished++
}
