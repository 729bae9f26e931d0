import { type Awaitable, isPromise } from './awaitable.ts'

/**
 * The result of a call; an error if it takes longer than that.
 *
 * @param name of the operation, for the error
 */
export async function withTimeout<Result>(
  milliseconds: number,
  act: () => Awaitable<Result>,
  name = 'The store',
): Promise<Result> {
  const started = act()
  // What is there at once needs no timer.
  if (!isPromise(started)) return started
  // By hand: a race takes microseconds, and session checks wait for stores.
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`${name} did not respond within ${milliseconds / 1000} seconds.`))
    }, milliseconds)
    started.then(
      result => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
