import type { JWT } from '@siteauth/core/jwt'
import { vi } from 'vitest'
import { bindingCookies } from '../../src/lib/principal/session-binding.ts'
import type { SessionStore } from '../../src/lib/session/store.ts'
import { theirs } from './libraries.ts'

/** The moment at which every scenario takes place. */
export const NOW: number = Date.UTC(2031, 2, 4, 5, 6, 7)

export const SECRET = 'the newest secret, of a good length'
export const OLD_SECRET = 'an older secret, of a good length too'

export const HTTPS = 'https://app.example.com'
export const HTTP = 'http://localhost:3000'

/** The names of the cookies at an origin, as documented. */
export function cookieNames(origin: string): { session: string; csrf: string; callback: string } {
  const secure = origin.startsWith('https:')
  return {
    session: `${secure ? '__Secure-' : ''}authjs.session-token`,
    csrf: `${secure ? '__Host-' : ''}authjs.csrf-token`,
    callback: `${secure ? '__Secure-' : ''}authjs.callback-url`,
  }
}

/** A token as the library in use so far has issued it, some seconds ago. */
export async function issuedToken(
  claims: JWT,
  options: { salt: string; age?: number; maxAge?: number; secret?: string },
): Promise<string> {
  const { salt, age = 0, maxAge, secret = SECRET } = options
  vi.setSystemTime(NOW - age * 1000)
  const token = await theirs.jwt.encode({
    token: claims,
    secret,
    salt,
    ...(maxAge !== undefined && { maxAge }),
  })
  vi.setSystemTime(NOW)
  return token
}

/** The cookie for a CSRF token, as the library in use so far makes it. */
export async function csrfCookie(token: string, secret: string = SECRET): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token + secret))
  return `${token}|${Buffer.from(hash).toString('hex')}`
}

/** The cookie of ours that a browser has if it was given a session: of a row, or of a user if there is no log. */
export async function bindingCookie(
  session: { readonly row: string } | { readonly userId: string },
): Promise<Readonly<Record<string, string>>> {
  const name = '__Host-siteauth.bound'
  const sessions = {
    sessionIdOf: () => ('row' in session ? session.row : null),
    userIdOf: async () => ('userId' in session ? session.userId : null),
  } as unknown as SessionStore // all that the cookie is made of
  const cookie = { name, options: { path: '/', secure: true } } as const
  const state = { sessions, header: null, binding: { cookie, secrets: [SECRET] } }
  const [made] = await bindingCookies(state, { token: '' })
  return { [name]: made?.value ?? '' }
}

export const CSRF_TOKEN: string = 'c5'.repeat(32)

/** Somebody whom `authorize` lets in. */
export const ANN = { id: 'u1', name: 'Ann', email: 'ann@example.com', image: '/ann.png' }

/** The claims that signing in as Ann leads to. */
export const ANNS_CLAIMS: JWT = {
  name: ANN.name,
  email: ANN.email,
  picture: ANN.image,
  sub: ANN.id,
}
