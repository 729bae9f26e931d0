import { primitives } from '#crypto'
import { toHex } from '../../crypto/encoding.ts'
import { LIMITS, PROVIDER_KEYS } from '../session-name.ts'

/**
 * How tokens are hashed. `accept`: new ones are not, and those that are can be used. `migrate`: those that
 * are not are hashed when they are used.
 */
export type HashMode = true | 'migrate' | 'accept'

/**
 * The name under which a session is stored, so that the store does not reveal its token. The keys of its provider
 * stay, for the list of sessions.
 */
export async function hashedName(token: string): Promise<string> {
  const [providerKeys = ''] = PROVIDER_KEYS.exec(token) ?? []
  return `h1.${toHex(await primitives.digest('SHA-256', token))}${providerKeys}`
}

/**
 * The token that follows a token, with the same limits. Deriving it takes the secret, and every server has that: signing
 * out with the old token ends this one, too.
 */
export async function successorOf(token: string, secret: string): Promise<string> {
  const [limits = ''] = LIMITS.exec(token) ?? []
  return (await derivedUuid(secret, 'siteauth rotation', token, '8')) + limits
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

/** Version 8 of a UUID, which nothing else here makes: some columns take nothing but UUIDs. */
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

/** Whether a name is the stored name of a session, rather than a token from a cookie. */
export function isStoredName(name: string): boolean {
  return /^[hj]1\./.test(name) || isReplacedName(name)
}
