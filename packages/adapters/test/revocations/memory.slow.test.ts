import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MemoryAdapter } from '../../src/memory.ts'

const DAY = 86_400_000

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) }))
afterEach(() => void vi.useRealTimers())

it('forgets what is over, also where others are ended over and over', async () => {
  const { revocations } = MemoryAdapter()
  const end = (keys: readonly string[]) =>
    revocations.end(keys.map(key => ({ key, until: new Date(Date.now() + DAY) })))
  const again = Array.from({ length: 30 }, (_, i) => `s:again${i}`)
  await end(again)
  await end(['s:once'])
  for (let day = 0; day < 3; day++) {
    vi.advanceTimersByTime(DAY)
    await end(again)
  }
  expect(await revocations.find(['s:once'])).toEqual([])
})
