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

/** The terms at the end of a name. */
export const TERMS: RegExp =
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
export const PROVIDED: RegExp = /~p[0-9a-z]{1,11}(?:~s[\w-]{22})?(?:~u[\w-]{22})?$/

/** What the name of a session is without what its provider can end it by. */
export function nameWithoutProvider(name: string): string {
  return name.replace(PROVIDED, '')
}

/** Whether a store might take one name for the other, because it ignores case, accents or blanks. */
export function isMistakable(name: string, other: string): boolean {
  return name !== other && folded(name) === folded(other)
}

function folded(name: string): string {
  return name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().trimEnd()
}
