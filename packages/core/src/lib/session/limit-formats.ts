import type { SessionLimits } from './lifetime.ts'

/** How a limit of a session is stored at the end of the name of a row. */
interface LimitFormat<Value> {
  /** The texts that stand for it, as a regular expression without groups that capture. */
  readonly pattern: string
  toText(value: Value): string
  /** @param text one that the pattern has matched */
  fromText(text: string): Value
}

/** The limits of a session, in the order in which a name contains them. */
export const LIMIT_FORMATS: {
  readonly [Name in keyof Required<SessionLimits>]: LimitFormat<NonNullable<SessionLimits[Name]>>
} = {
  bgn: timeAfter('b'),
  cap: timeAfter('c'),
  tmp: { pattern: 't', toText: () => 't', fromText: () => true },
  rk: {
    pattern: String.raw`p[0-9a-z]{1,11}(?:~s[\w-]{22})?(?:~u[\w-]{22})?`,
    toText: ({ at, sid, sub }) =>
      [`p${at.toString(36)}`, sid && `s${sid}`, sub && `u${sub}`].filter(Boolean).join('~'),
    fromText(text) {
      const [time = '', ...hashes] = text.split('~')
      const find = (letter: string) => hashes.find(hash => hash[0] === letter)?.slice(1)
      return { at: timeIn(time), sid: find('s'), sub: find('u') }
    },
  },
}

/** The formats by the names of their limits, for loops. */
export const FORMAT_ENTRIES = Object.entries(LIMIT_FORMATS) as readonly (readonly [
  keyof SessionLimits,
  LimitFormat<unknown>, // each only sees values of its own
])[]

function timeAfter(letter: string): LimitFormat<number> {
  return {
    pattern: `${letter}[0-9a-z]{1,11}`,
    toText: time => letter + time.toString(36),
    fromText: timeIn,
  }
}

function timeIn(text: string): number {
  return Number.parseInt(text.slice(1), 36)
}
