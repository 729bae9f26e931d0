// The site that is measured, and who is signed in there. It imports nothing: the applications in conformance/ have it
// in what their frameworks build, and bring their own packages.
export const secret = 'a secret of at least thirty-two characters'
export const user = { name: 'Ann Example', email: 'ann.example@example.com', image: null }

/** For Auth.js and for us. */
export const config = { secret, trustHost: true, providers: [] }

/** Ours, in an application that is told by a variable whether to remember tokens. */
export const ourConfig = {
  ...config,
  logger: { warn() {} }, // that any host is trusted
  ...(process.env.TOKENS === 'opened' ? { jwt: { cacheBytes: 0 } } : {}),
}

/** For Better Auth, with everything in memory. */
export function betterAuthOptions(memoryAdapter) {
  return {
    secret,
    baseURL: process.env.ORIGIN ?? 'http://localhost',
    database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    emailAndPassword: { enabled: true },
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
  }
}

/** How somebody gets an account with it. */
export const signUp = { name: user.name, email: 'ann@example.com', password: 'a long password' }
