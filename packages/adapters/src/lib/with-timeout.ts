/** How long a store may take to respond by default, in milliseconds. */
export const DEFAULT_TIMEOUT = 10_000

/** The store did not respond in time. Whether it carried out the command is unknown. */
class NoResponse extends Error {
  override readonly name: string = 'NoAnswer'
}

/**
 * Resolves to the value, or rejects if it takes longer than `timeout` milliseconds. `onLate` is called in
 * that case, and `discard` with a value that arrives afterwards.
 */
export function withTimeout<T>(
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
        new NoResponse(
          `the store did not respond within ${timeout} ms: check that it is running and reachable, or set the adapter's timeout`,
        ),
      )
    }, timeout)
    value.then(
      result => {
        clearTimeout(timer)
        if (isLate) discard?.(result)
        else resolve(result)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
