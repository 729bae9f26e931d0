import { primitives } from '#crypto'
import { toHex } from '../crypto/encoding.ts'
import type { Terms } from './lifetime.ts'

/**
 * The name of a row, with the terms of its session at its end. So they need no column, and whoever
 * changes them in a cookie has named another row, which is not there.
 */
export function nameWith(random: string, { bgn, cap, tmp, rk }: Terms): string {
  const said = [
    bgn !== undefined && `b${bgn.toString(36)}`,
    cap !== undefined && `c${cap.toString(36)}`,
    tmp && 't',
    rk && `p${rk.at.toString(36)}`,
    rk?.sid && `s${rk.sid}`,
    rk?.sub && `u${rk.sub}`,
  ].filter(Boolean)
  return said.length > 0 ? `${random}~${said.join('~')}` : random
}

const TERMS =
  /(?:~b([0-9a-z]{1,11}))?(?:~c([0-9a-z]{1,11}))?(~t)?(?:~p([0-9a-z]{1,11})(?:~s([\w-]{22}))?(?:~u([\w-]{22}))?)?$/

/** The terms that the name of a row ends with. */
export function termsIn(name: string): Terms {
  // Some columns fill a name up with blanks.
  const [, bgn, cap, tmp, signedIn, sid, sub] = TERMS.exec(name.trimEnd()) ?? []
  const at = timeOf(signedIn)
  return {
    bgn: timeOf(bgn),
    cap: timeOf(cap),
    ...(tmp && { tmp: true }),
    ...(at !== undefined && { rk: { at, sid, sub } }),
  }
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 36)
}

/** What a session can be ended by at its provider, where a name ends with that. */
const PROVIDED = /~p[0-9a-z]{1,11}(?:~s[\w-]{22})?(?:~u[\w-]{22})?$/

/** What the name of a session is without what its provider can end it by. */
export function nameWithoutProvider(name: string): string {
  return name.replace(PROVIDED, '')
}

/**
 * The name under which a session is stored so that the store does not tell its token. What its provider can
 * end it by stays, for the list of sessions.
 */
export async function hashedName(token: string): Promise<string> {
  const [provided = ''] = PROVIDED.exec(token) ?? []
  return `h1.${toHex(await primitives.digest('SHA-256', token))}${provided}`
}

/**
 * The token that follows a token, on the same terms. It takes the secret to know it, and whoever has the
 * secret need not be told: signing out with the old token ends this one, too.
 */
export async function successorOf(token: string, secret: string): Promise<string> {
  const [terms = ''] = TERMS.exec(token) ?? []
  return (await derivedUuid(secret, 'siteauth rotation', token, '8')) + terms
}

/**
 * The name of a session that was replaced, and ends in a moment. It takes the secret to know it, so no
 * cookie can ask for it.
 *
 * @param successor what replaced it: a token, or the name that the store has for that
 */
export function replacedName(successor: string, secret: string): Promise<string> {
  return derivedUuid(secret, 'siteauth replaced', successor, '9')
}

/** Version 8 of a UUID, which nobody else here makes: some columns take nothing but UUIDs. */
async function derivedUuid(
  secret: string,
  purpose: string,
  name: string,
  variant: '8' | '9',
): Promise<string> {
  const digest = name.startsWith('h1.') ? name : await hashedName(name)
  const hex = toHex(await primitives.deriveBits(secret, purpose, digest, 16))
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}

/** Whether a token may have followed another. */
export function isSuccessor(token: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8/.test(token)
}

/** Whether a name is that of a session that was replaced. */
export function isReplacedName(name: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-9/.test(name)
}

/** Whether a name is what a store tells of a session, rather than what its cookie says. */
export function isStoredName(name: string): boolean {
  return /^[hj]1\./.test(name) || isReplacedName(name)
}

/** Whether a store might take one name for the other, because it ignores case, accents or blanks. */
export function isMistakable(name: string, other: string): boolean {
  return name !== other && folded(name) === folded(other)
}

function folded(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd()
}
