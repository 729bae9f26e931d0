import type {
  NewRevocation,
  RevocationEntry,
  RevocationLog,
  RevocationPage,
} from '@siteauth/core/adapters'
import { expect } from 'vitest'
import type { AdapterCase } from './adapter-case.ts'
import { inHours } from './samples.ts'

const MINUTE = 60_000

export const REVOCATION_CASES: readonly AdapterCase[] = [
  {
    name: 'what was ended is found, with its date to the millisecond',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation()
      const expected = [{ ...revocation, generation: null }]
      expect(inOrder(await revocations.end([revocation]))).toEqual(expected)
      expect(inOrder(await revocations.find([revocation.key]))).toEqual(expected)
    },
  },
  {
    name: 'of several keys those are found that were ended',
    needs: ['revocations'],
    async run({ revocations }) {
      const [one, other] = [sampleRevocation(), sampleRevocation()]
      await revocations.end([one, other])
      const found = await revocations.find([sampleKey(), one.key, other.key, one.key])
      expect(new Set(found.map(({ key }) => key))).toEqual(new Set([one.key, other.key]))
    },
  },
  {
    name: 'no key and no revocation at all are no error',
    needs: ['revocations'],
    async run({ revocations }) {
      expect(await revocations.find([])).toEqual([])
      expect(await revocations.end([])).toEqual([])
    },
  },
  {
    name: 'a key that differs by a letter’s case, or by a blank, was not ended',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation({ key: `s:aBc${crypto.randomUUID()}` })
      await revocations.end([revocation])
      const others = [
        revocation.key.replace('aBc', 'abc'),
        `${revocation.key} `,
        ` ${revocation.key}`,
        `${revocation.key}\0`,
        revocation.key.slice(0, -1),
        revocation.key.replace('aBc', 'äBc'),
        `${revocation.key}%`,
        '',
      ]
      for (const other of others) expect(await revocations.find([other]), other).toEqual([])
    },
  },
  {
    name: 'keys of 255 letters, and of all that ASCII has, are kept whole',
    needs: ['revocations'],
    async run({ revocations }) {
      const ascii = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))
      const key = (sampleKey() + ascii).padEnd(255, 'x')
      await revocations.end([sampleRevocation({ key })])
      expect((await revocations.find([key]))[0]?.key).toBe(key)
      expect(await revocations.find([key.slice(0, -1)])).toEqual([])
    },
  },
  {
    name: 'revocations are all taken or none, and what is wrong with one is said',
    needs: ['revocations'],
    async run({ revocations }) {
      const wrong: readonly Partial<NewRevocation>[] = [
        { key: 'x'.repeat(256) },
        { key: 'with a blank' },
        { key: 'ä' },
        { key: '' },
        { until: new Date(Number.NaN) },
      ]
      for (const each of wrong) {
        const good = sampleRevocation()
        const end = async () => revocations.end([good, sampleRevocation(each)])
        await expect(end()).rejects.toThrow(/key|until/)
        expect(await revocations.find([good.key])).toEqual([])
      }
    },
  },
  {
    name: 'what is ended twice keeps the later date',
    needs: ['revocations'],
    async run({ revocations }) {
      const key = sampleKey()
      const [soon, late] = [inHours(1), inHours(2)]
      await revocations.end([{ key, until: late }])
      expect((await revocations.end([{ key, until: soon }]))[0]?.until).toEqual(late)
      expect((await revocations.find([key]))[0]?.until).toEqual(late)
      const later = inHours(3)
      await revocations.end([
        { key, until: later },
        { key, until: soon },
      ])
      expect((await revocations.find([key]))[0]?.until).toEqual(later)
    },
  },
  {
    name: 'each generation of a key is higher than the one before',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation({ isGeneration: true })
      let before = 0
      for (let round = 0; round < 5; round++) {
        const [{ generation } = { generation: 0 }] = await revocations.end([revocation])
        expect(generation).toBeGreaterThan(before)
        before = Number(generation)
      }
      expect((await revocations.find([revocation.key]))[0]?.generation).toBe(before)
    },
  },
  {
    // So that one that was forgotten, with what it ended, is not given out again.
    name: 'a first generation is no earlier than the clock of the store',
    needs: ['revocations'],
    async run({ revocations }) {
      const { now } = await revocations.since(null)
      const [ended] = await revocations.end([sampleRevocation({ isGeneration: true })])
      expect(ended?.generation).toBeGreaterThanOrEqual(now.getTime())
    },
  },
  {
    name: 'a generation is higher also than one that may have been forgotten',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation({ isGeneration: true, until: inHours(-48) })
      // Whoever writes may remove what is over, and within the same millisecond another may write.
      const ended = await Promise.all(
        Array.from({ length: 20 }, async () => revocations.end([revocation])),
      )
      const generations = ended.map(([first]) => Number(first?.generation))
      expect(new Set(generations).size).toBe(20)
      const [last] = await revocations.end([revocation])
      expect(last?.generation).toBeGreaterThan(Math.max(...generations))
    },
  },
  {
    name: 'of concurrent generations of a key no two are the same',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation({ isGeneration: true })
      const ended = await Promise.all(
        Array.from({ length: 20 }, async () => revocations.end([revocation])),
      )
      const generations = ended.map(([first]) => first?.generation)
      expect(new Set(generations).size).toBe(20)
      const stored = (await revocations.find([revocation.key]))[0]?.generation
      expect(stored).toBe(Math.max(...generations.map(Number)))
    },
  },
  {
    name: 'a generation that is given is the first, and none that follows is lower',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation({ isGeneration: true })
      const end = async (generation: number) =>
        Number((await revocations.end([{ ...revocation, generation }]))[0]?.generation)
      expect(await end(5_000_001)).toBe(5_000_001)
      expect(await end(9_000_001)).toBe(9_000_001)
      expect(await end(2_000_001)).toBeGreaterThanOrEqual(9_000_001)
      const stored = (await revocations.find([revocation.key]))[0]?.generation
      expect(stored).toBeGreaterThanOrEqual(9_000_001)
      expect(stored).toBeLessThan(9_001_000)
    },
  },
  {
    name: 'what is ended as a whole stays so, whatever comes after',
    needs: ['revocations'],
    async run({ revocations }) {
      const key = sampleKey()
      const until = inHours(1)
      await revocations.end([{ key, until, isGeneration: true }])
      for (const isGeneration of [false, true]) {
        expect((await revocations.end([{ key, until, isGeneration }]))[0]?.generation).toBeNull()
        expect((await revocations.find([key]))[0]?.generation).toBeNull()
      }
    },
  },
  {
    name: 'since null answers all that was ended, and the time',
    needs: ['revocations'],
    async run({ revocations }) {
      const samples = [sampleRevocation(), sampleRevocation({ isGeneration: true })]
      const ended = await revocations.end(samples)
      const result = await revocations.since(null)
      expect(result.now).toBeInstanceOf(Date)
      expect(among(samples, result.revocations)).toEqual(inOrder(ended))
    },
  },
  {
    name: 'pages hold all that was ended, and the time, if there are pages',
    needs: ['revocations'],
    async run({ revocations }) {
      const samples = [sampleRevocation(), sampleRevocation({ isGeneration: true })]
      const ended = await revocations.end(samples)
      let found: readonly RevocationEntry[] = []
      let cursor: string | null = null
      do {
        const page: RevocationPage | undefined = await revocations.page?.(cursor)
        if (!page) return
        expect(page.now).toBeInstanceOf(Date)
        found = found.concat(page.revocations)
        cursor = page.next
      } while (cursor !== null)
      expect(among(samples, found)).toEqual(inOrder(ended))
    },
  },
  {
    name: 'since the time of an answer there is what was ended after it',
    needs: ['revocations'],
    async run({ revocations }) {
      let { now } = await revocations.since(null)
      for (let round = 0; round < 5; round++) {
        const revocation = sampleRevocation({ isGeneration: round % 2 === 0 })
        const ended = await revocations.end([revocation])
        const result = await revocations.since(now)
        expect(among([revocation], result.revocations)).toEqual(inOrder(ended))
        expect(result.now.getTime()).toBeGreaterThanOrEqual(now.getTime())
        now = result.now
      }
    },
  },
  {
    name: 'since a minute ago there is what was ended before the last answer',
    needs: ['revocations'],
    async run({ revocations }) {
      const samples = [sampleRevocation(), sampleRevocation({ isGeneration: true })]
      const ended = await revocations.end(samples)
      const { now } = await revocations.since(null)
      const { revocations: found } = await revocations.since(new Date(now.getTime() - MINUTE))
      expect(among(samples, found)).toEqual(inOrder(ended))
    },
  },
  {
    name: 'since a time to come there is nothing',
    needs: ['revocations'],
    async run({ revocations }) {
      await revocations.end([sampleRevocation()])
      const { now } = await revocations.since(null)
      const later = new Date(now.getTime() + 60 * MINUTE)
      expect((await revocations.since(later)).revocations).toEqual([])
    },
  },
  {
    name: 'what is ended again is there since then',
    needs: ['revocations'],
    async run({ revocations }) {
      const revocation = sampleRevocation()
      await revocations.end([revocation])
      const { now } = await revocations.since(null)
      const until = inHours(48)
      await revocations.end([{ ...revocation, until }])
      const { revocations: found } = await revocations.since(now)
      expect(among([revocation], found)).toMatchObject([{ until }])
    },
  },
  {
    name: 'what is over is not among all that was ended',
    needs: ['revocations'],
    async run({ revocations }) {
      const over = sampleRevocation({ until: inHours(-1) })
      const revocation = sampleRevocation()
      const [, ended] = inOrder(await revocations.end([over, revocation]), [over, revocation])
      const { revocations: found } = await revocations.since(null)
      expect(among([over, revocation], found)).toEqual([ended])
    },
  },
  {
    name: 'a thousand revocations are taken at once',
    needs: ['revocations'],
    async run({ revocations }) {
      const samples = Array.from({ length: 1000 }, () => sampleRevocation({ until: inHours(1) }))
      const { now } = await revocations.since(null)
      expect(await revocations.end(samples)).toHaveLength(1000)
      expect(await revocations.find(samples.map(({ key }) => key))).toHaveLength(1000)
      expect(among(samples, (await revocations.since(now)).revocations)).toHaveLength(1000)
    },
  },
  {
    name: 'two who end the same in another order do not wait for each other',
    needs: ['revocations'],
    async run({ revocations }) {
      const samples = Array.from({ length: 50 }, () => sampleRevocation({ isGeneration: true }))
      const orders = [samples, samples.toReversed()]
      await Promise.all(
        Array.from({ length: 6 }, async (_, index) => revocations.end(orders[index % 2] ?? [])),
      )
      expect(await revocations.find(samples.map(({ key }) => key))).toHaveLength(50)
    },
  },
  {
    name: 'whoever watches hears of each end, as it is stored',
    needs: ['revocations', 'revocations.watch'],
    async run({ revocations }) {
      const heard = await listen(revocations)
      const samples = [
        sampleRevocation(),
        sampleRevocation({ key: sampleKey().padEnd(255, 'x'), isGeneration: true }),
      ]
      const ended = await revocations.end(samples)
      expect(inOrder(await heard.all(samples))).toEqual(inOrder(ended))
      await heard.stop()
    },
  },
  {
    name: 'whoever watches hears of a thousand ends',
    needs: ['revocations', 'revocations.watch'],
    async run({ revocations }) {
      const heard = await listen(revocations)
      const samples = Array.from({ length: 1000 }, () => sampleRevocation())
      await revocations.end(samples)
      expect(await heard.all(samples)).toHaveLength(1000)
      await heard.stop()
    },
  },
  {
    name: 'whoever has stopped watching hears nothing more, and others go on',
    needs: ['revocations', 'revocations.watch'],
    async run({ revocations }) {
      const [stopped, active] = [await listen(revocations), await listen(revocations)]
      await stopped.stop()
      const revocation = sampleRevocation()
      await revocations.end([revocation])
      await active.all([revocation])
      expect(stopped.soFar.has(revocation.key)).toBe(false)
      await active.stop()
    },
  },
]

function sampleKey(): string {
  return `s:${crypto.randomUUID()}`
}

function sampleRevocation(overrides: Partial<NewRevocation> = {}): NewRevocation {
  return { key: sampleKey(), until: inHours(24), ...overrides }
}

/** What of it is about these. Others may end things meanwhile. */
function among(
  samples: readonly NewRevocation[],
  found: readonly RevocationEntry[],
): readonly RevocationEntry[] {
  const keys = new Set(samples.map(({ key }) => key))
  return inOrder(found.filter(({ key }) => keys.has(key)))
}

/** By their keys, or as those are that are given; without what a store may add. */
function inOrder(
  found: readonly RevocationEntry[],
  like?: readonly NewRevocation[],
): readonly RevocationEntry[] {
  const place = (key: string) => like?.findIndex(each => each.key === key) ?? 0
  return found
    .map(({ key, generation, until }) => ({ key, generation, until }))
    .sort((one, two) => place(one.key) - place(two.key) || (one.key < two.key ? -1 : 1))
}

/** Watches, and waits for what it is to hear of. */
async function listen(log: RevocationLog) {
  const soFar = new Map<string, RevocationEntry>()
  let onHeard = () => {}
  const stop = await log.watch?.(
    revocation => {
      soFar.set(revocation.key, revocation)
      onHeard()
    },
    () => {},
  )
  return {
    soFar,
    stop: async () => stop?.(),
    all: (samples: readonly NewRevocation[]) =>
      new Promise<readonly RevocationEntry[]>(resolve => {
        onHeard = () => {
          // Others may end things meanwhile.
          if (soFar.size < samples.length) return
          const heard = among(samples, [...soFar.values()])
          if (heard.length === samples.length) resolve(heard)
        }
        onHeard()
      }),
  }
}
