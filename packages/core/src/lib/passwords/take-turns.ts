/**
 * Lets so many run at once; the others wait, in the order in which they came. Each hash takes its memory for
 * as long as it runs: a hundred sign-ins at once must not take a hundred times that.
 */
export function takeTurns(atOnce: number): <Result>(run: () => Promise<Result>) => Promise<Result> {
  let free = atOnce
  const waiting: (() => void)[] = []
  return async run => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      // Handed on rather than given back: nobody who comes now gets in between.
      if (next) next()
      else free++
    }
  }
}
