import type { Awaitable } from './awaitable.ts'

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
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`${name} did not respond within ${milliseconds / 1000} seconds.`))
    }, milliseconds)
  })
  try {
    return await Promise.race([act(), late])
  } finally {
    clearTimeout(timer)
  }
}
