const MAX_ATTEMPTS = 10

/**
 * Repeats an operation while it fails because of concurrent ones, which will be done in a moment: for as
 * long as the timeout allows, or for ten attempts without one.
 */
export async function retryOnConflict<T>(
  isConflict: (error: unknown) => boolean,
  act: () => Promise<T>,
  timeout: number = Number.POSITIVE_INFINITY,
): Promise<T> {
  const until = Date.now() + timeout
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const isLast =
        timeout === Number.POSITIVE_INFINITY ? attempt >= MAX_ATTEMPTS : Date.now() > until
      if (isLast || !isConflict(error)) throw error
    }
    // At a random pace: two that waited equally long would collide again and again.
    await new Promise(resolve => setTimeout(resolve, Math.random() * Math.min(100, attempt * 10)))
  }
}
