import type { ProviderSessionKeys, Terms } from './lifetime.ts'

/** How a term of a session is stored: as a member of our claim, and at the end of the name of a row. */
interface TermFormat<Value> {
  /** The term that a member of the claim stands for; undefined if it is not one. */
  fromClaim(member: unknown): Value | undefined
  /** The texts that stand for it in a name, as a regular expression without groups that capture. */
  readonly pattern: string
  toText(value: Value): string
  /** @param text one that the pattern has matched */
  fromText(text: string): Value
}

/** Terms of which each is named, though it may be undefined: code that lists them cannot leave one out. */
export type AllTerms = { readonly [Name in keyof Required<Terms>]: Terms[Name] | undefined }

/**
 * The terms of a session, in the order in which a name contains them. A term that is added to the type is added here: reading,
 * naming, renewing and revoking loop over this table, or name each term by {@link AllTerms} if every request does so.
 */
export const SESSION_TERMS: {
  readonly [Name in keyof Required<Terms>]: TermFormat<NonNullable<Terms[Name]>>
} = {
  /** When it began. */
  bgn: { fromClaim: numberIn, ...timeAfter('b') },
  /** When it ends at the latest, as the provider specifies. */
  cap: { fromClaim: numberIn, ...timeAfter('c') },
  /** Whether it ends when the browser is closed. */
  tmp: {
    fromClaim: member => (member === true ? member : undefined),
    pattern: 't',
    toText: () => 't',
    fromText: () => true,
  },
  /** The keys by which its provider can end it. */
  rk: {
    // A copy: callbacks are given the claims that it comes from, and may change them.
    fromClaim: member => (isProviderSessionKeys(member) ? { ...member } : undefined),
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

/** The terms by their names, for loops. */
export const TERM_ENTRIES = Object.entries(SESSION_TERMS) as readonly (readonly [
  keyof Terms,
  TermFormat<unknown>, // each only sees values of its own
])[]

function numberIn(member: unknown): number | undefined {
  return typeof member === 'number' ? member : undefined
}

function isProviderSessionKeys(given: unknown): given is ProviderSessionKeys {
  if (given === undefined) return false // as it nearly always is
  const { at, sid, sub } = Object(given) as Partial<Record<keyof ProviderSessionKeys, unknown>>
  return typeof at === 'number' && typeof (sid ?? sub ?? '') === 'string'
}

function timeAfter(letter: string): Omit<TermFormat<number>, 'fromClaim'> {
  return {
    pattern: `${letter}[0-9a-z]{1,11}`,
    toText: time => letter + time.toString(36),
    fromText: timeIn,
  }
}

function timeIn(text: string): number {
  return Number.parseInt(text.slice(1), 36)
}
