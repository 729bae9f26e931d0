const MAX_ATTEMPTS = 10

/** Does something again as long as it fails because of others, who will be gone in a moment. */
export async function repeatWhile<T>(
  isInTheWay: (error: unknown) => boolean,
  act: () => Promise<T>,
  patience: number = Number.POSITIVE_INFINITY,
): Promise<T> {
  const until = Date.now() + patience
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const isOver =
        patience === Number.POSITIVE_INFINITY ? attempt >= MAX_ATTEMPTS : Date.now() > until
      if (isOver || !isInTheWay(error)) throw error
    }
    // Never two at the same pace, who would meet again and again.
    await new Promise(resolve => setTimeout(resolve, Math.random() * Math.min(100, attempt * 10)))
  }
}
