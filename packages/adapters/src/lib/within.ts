/** How long a store may take to respond by default, in milliseconds. */
export const DEFAULT_TIMEOUT = 10_000

/** A store that did not respond in time. Whether it did what was asked is unknown. */
class NoAnswer extends Error {
  override readonly name: string = 'NoAnswer'
}

/**
 * The value, or an error when it takes longer than that many milliseconds. `onLate` is called then, and
 * `discard` with a value that comes after all.
 */
export function within<T>(
  timeout: number,
  value: Promise<T>,
  { onLate, discard }: { onLate?: () => void; discard?: (value: T) => void } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      onLate?.()
      reject(
        new NoAnswer(
          `the store did not respond within ${timeout} ms: check that it is running and reachable, or set the adapter's timeout`,
        ),
      )
    }, timeout)
    value.then(
      answer => {
        clearTimeout(timer)
        if (isLate) discard?.(answer)
        else resolve(answer)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
