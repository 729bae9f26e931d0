import fc from 'fast-check'

const SECOND = 1000
/** How many cases are tried before the time is looked at, so that a busy machine tries some as well. */
const AT_ONCE = 10
/** How long a case that fails is made smaller. */
const SHRINKING = 60 * SECOND

/**
 * Tries cases for so many seconds, from a random seed or `MODEL_SEED`.
 *
 * fast-check's own limit of time fails a run in which no case has ended, on a machine that is busy with others.
 */
export async function searchFor<Case>(
  seconds: number,
  property: fc.IAsyncProperty<Case>,
): Promise<void> {
  // Models replace Date.
  const end = performance.now() + seconds * SECOND
  let seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
  do {
    await fc.assert(property, {
      seed,
      numRuns: AT_ONCE,
      interruptAfterTimeLimit: seconds * SECOND + SHRINKING,
    })
    // Far from the seeds that one would name beside it.
    seed = (seed + 1_000_003) | 0
  } while (performance.now() < end)
}
