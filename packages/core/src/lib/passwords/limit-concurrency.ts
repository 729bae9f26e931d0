/** Runs something when it is its turn. */
interface Turns {
  <Result>(run: () => Promise<Result>): Promise<Result>
  /** How many are waiting in this process. */
  waiting(): number
}

interface Waiting {
  readonly concurrency: number
  start(): void
}

// One queue for the process, since all configurations share its memory: also those that a function makes for each request.
const queue: Waiting[] = []
let running = 0

/**
 * Lets so many run at once; the others wait, in the order in which they came. Each hash takes its memory for
 * as long as it runs: a hundred sign-ins at once must not take a hundred times that.
 */
export function takeTurns(concurrency: number): Turns {
  const turn = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    // A later caller cannot get in between.
    if (queue.length > 0 || running >= concurrency) {
      await new Promise<void>(start => queue.push({ concurrency, start }))
    } else running++
    try {
      return await run()
    } finally {
      running--
      startNext()
    }
  }
  return Object.assign(turn, { waiting: () => queue.length })
}

function startNext(): void {
  for (let next = queue[0]; next && running < next.concurrency; next = queue[0]) {
    queue.shift()
    running++
    next.start()
  }
}
