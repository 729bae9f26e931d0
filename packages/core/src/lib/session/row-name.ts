import { primitives } from '#crypto'
import { toHex } from '../crypto/encoding.ts'
import type { Terms } from './lifetime.ts'

/**
 * The name of a row, with the terms of its session at its end. So they need no column, and whoever
 * changes them in a cookie has named another row, which is not there.
 */
export function nameWith(random: string, { bgn, cap, tmp }: Terms): string {
  const said = [
    bgn !== undefined && `b${bgn.toString(36)}`,
    cap !== undefined && `c${cap.toString(36)}`,
    tmp && 't',
  ].filter(Boolean)
  return said.length > 0 ? `${random}~${said.join('~')}` : random
}

const TERMS = /(?:~b([0-9a-z]{1,11}))?(?:~c([0-9a-z]{1,11}))?(~t)?$/

/** The terms that the name of a row ends with. */
export function termsIn(name: string): Terms {
  // Some columns fill a name up with blanks.
  const [, bgn, cap, tmp] = TERMS.exec(name.trimEnd()) ?? []
  return { bgn: timeOf(bgn), cap: timeOf(cap), ...(tmp && { tmp: true }) }
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 36)
}

/** The name under which a session is stored so that the store does not tell its token. */
export function hashedName(token: string): Promise<string> {
  return digestName('h1.', token)
}

/** The name of a session that was replaced by this token, and ends in a moment. */
export function replacedName(successor: string): Promise<string> {
  return digestName('r1.', successor)
}

/**
 * The token that follows a token, on the same terms. It takes the secret to know it, and whoever has the
 * secret need not be told: signing out with the old token ends this one, too.
 */
export async function successorOf(token: string, secret: string): Promise<string> {
  const [terms = ''] = TERMS.exec(token) ?? []
  const bits = await primitives.deriveBits(secret, 'siteauth rotation', token, 16)
  const hex = toHex(bits)
  // Version 8 of a UUID, which nobody else here makes.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}${terms}`
}

/** Whether a token may have followed another. */
export function isSuccessor(token: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8/.test(token)
}

async function digestName(kind: string, token: string): Promise<string> {
  return kind + toHex(await primitives.digest('SHA-256', token))
}

/** Whether a name is what a store tells of a session, rather than what its cookie says. */
export function isDigestName(name: string): boolean {
  return /^[hjr]1\./.test(name)
}

/** Whether a name is that of a session that was replaced. */
export function isReplacedName(name: string): boolean {
  return name.startsWith('r1.')
}
