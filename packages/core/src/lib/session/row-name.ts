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

/** The terms that the name of a row ends with. */
export function termsIn(name: string): Terms {
  // Some columns fill a name up with blanks.
  const [, bgn, cap, tmp] =
    /(?:~b([0-9a-z]{1,10}))?(?:~c([0-9a-z]{1,10}))?(~t)?$/.exec(name.trimEnd()) ?? []
  return { bgn: timeOf(bgn), cap: timeOf(cap), ...(tmp && { tmp: true }) }
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number.parseInt(text, 36)
}

/** The name under which a session is stored so that the store does not tell its token. */
export function hashedName(token: string): Promise<string> {
  return digestName('h1.', token)
}

/** The name of a session that was replaced, and ends in a moment. */
export function replacedName(token: string): Promise<string> {
  return digestName('r1.', token)
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
