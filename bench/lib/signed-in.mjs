// Somebody who is signed in at a server that is measured, by each library that can know it. What only
// some contenders need is imported when they ask for it: a process holds no more than its own.
import { secret, user } from './site.mjs'

export { config, secret, user } from './site.mjs'

const claims = { sub: '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11', ...user }
const COOKIE = 'authjs.session-token'

/**
 * For `serve`: what a browser sends to a server.
 *
 * @param cookies one header for each request, or a function that asks the server for them
 */
export function requestsWith(cookies) {
  return async origin => {
    const sent = typeof cookies === 'function' ? await cookies(origin) : cookies
    return sent.map(cookie => ({ headers: { cookie } }))
  }
}

/** Few enough to recur, and for whoever opens each of them as good as any number. */
export async function tokens() {
  const { encode } = await import('@siteauth/core/jwt')
  const token = async () => `${COOKIE}=${await encode({ token: claims, secret, salt: COOKIE })}`
  return Promise.all(Array.from({ length: 100 }, token))
}

/** The cookies of a server that signs in whoever asks for it. */
export async function login(origin) {
  const response = await fetch(`${origin}/?login=1`)
  const lines = response.headers.getSetCookie()
  return [lines.map(line => line.split(';')[0]).join('; ')]
}

/** A middleware of express-session. */
export async function storedSession() {
  const { default: expressSession } = await import('express-session')
  const { warn } = console
  console.warn = () => {} // that its store is not meant for production
  const middleware = expressSession({ secret, resave: false, saveUninitialized: false })
  console.warn = warn
  return middleware
}

/** A middleware of cookie-session. */
export async function signedSession() {
  const { default: cookieSession } = await import('cookie-session')
  return cookieSession({ keys: [secret] })
}

/** A function that tells who it is, and the cookies of somebody. */
export async function ironSession() {
  const { getIronSession, sealData } = await import('iron-session')
  const iron = { password: secret, cookieName: 'iron' }
  return {
    find: async (req, res) => (await getIronSession(req, res, iron)).user,
    cookies: [`iron=${await sealData({ user }, iron)}`],
  }
}

/** A function that tells who it is, and the cookies of somebody. */
export async function betterAuth(name) {
  const { betterAuthKinds, startBetterAuth } = await import('./better-auth.mjs')
  const { fromNodeHeaders } = await import('better-auth/node')
  const { auth, cookie } = await startBetterAuth(secret, betterAuthKinds[name])
  return {
    find: async req => (await auth.api.getSession({ headers: fromNodeHeaders(req.headers) }))?.user,
    cookies: [cookie],
  }
}
