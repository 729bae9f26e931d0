/** Runs something when it is its turn. */
interface Turns {
  <Result>(run: () => Promise<Result>): Promise<Result>
  /** How many are waiting. */
  waiting(): number
}

/**
 * Lets so many run at once; the others wait, in the order in which they came. Each hash takes its memory for
 * as long as it runs: a hundred sign-ins at once must not take a hundred times that.
 */
export function takeTurns(concurrency: number): Turns {
  let free = concurrency
  const waiting: (() => void)[] = []
  const turn = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      // Passed on rather than given back: a later caller cannot get in between.
      if (next) next()
      else free++
    }
  }
  return Object.assign(turn, { waiting: () => waiting.length })
}
