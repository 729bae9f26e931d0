import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { betterAuthOptions, signUp } from './site.mjs'

/** The two ways in which it is measured: sessions in a store, and copied into an encrypted cookie. */
export const betterAuthKinds = {
  'Better Auth, memory': {},
  'Better Auth, cookie cache': {
    session: { cookieCache: { enabled: true, maxAge: 3600, strategy: 'jwe' } },
  },
}

/**
 * An instance with everything in memory, and the cookies of somebody who is signed in.
 *
 * @param more a text by which there is more to know of them
 */
export async function startBetterAuth(secret, options, more = '') {
  const auth = betterAuth({ ...betterAuthOptions(memoryAdapter), secret, ...options })
  const body = { ...signUp, name: `${signUp.name}${more}` }
  const response = await auth.api.signUpEmail({ body, asResponse: true })
  return { auth, cookie: cookiesOf(response.headers.getSetCookie()) }
}

/** What a browser sends back for some `Set-Cookie` headers. */
export function cookiesOf(lines) {
  return lines.map(line => line.split(';')[0]).join('; ')
}
