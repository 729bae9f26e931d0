import { vi } from 'vitest'

/** In milliseconds. */
const STEP = 500

/** Whether something ends within a time, by the clock that timers use. */
export async function endsWithin(
  milliseconds: number,
  started: Promise<unknown>,
): Promise<boolean> {
  let hasEnded = false
  const end = () => {
    hasEnded = true
  }
  void started.then(end, end)
  await settle()
  for (let passed = 0; passed < milliseconds && !hasEnded; passed += STEP) {
    await vi.advanceTimersByTimeAsync(STEP)
    await settle()
  }
  return hasEnded
}

/** Lets everything happen that waits for no timer. */
async function settle(): Promise<void> {
  await vi.dynamicImportSettled()
  for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
}
