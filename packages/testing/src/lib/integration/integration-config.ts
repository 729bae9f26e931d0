import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import type { EmailConfig, OIDCConfig } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import Passkey from '@siteauth/core/providers/passkey'
import Password from '@siteauth/core/providers/password'
import type { Profile, User } from '@siteauth/core/types'
import { rejectProduction } from '../reject-production.ts'
import { addressOf, LARGE, PASSWORD, readSettings, UNREADABLE } from './suite-variables.ts'

/** The configuration of an application under test: that of core, of Express, of Next. */
export type IntegrationConfig = Pick<
  AuthConfig,
  | 'adapter'
  | 'basePath'
  | 'callbacks'
  | 'experimental'
  | 'limits'
  | 'logger'
  | 'pages'
  | 'providers'
  | 'secret'
  | 'session'
  | 'trustHost'
>

/**
 * The configuration for an application that `integrationSuite` tests: every way to sign in, and a few people
 * with whom something is the matter.
 *
 * @param env what the suite passes to `start`, as the variables of the application
 * @param adapter a store with all methods, such as `MemoryAdapter()`, one for as long as the application runs
 *
 * @example
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 * import { createAuth } from '@siteauth/core'
 * import { integrationConfig } from '@siteauth/testing/integration-config'
 *
 * export const auth = createAuth(integrationConfig(process.env, MemoryAdapter()))
 * ```
 */
export function integrationConfig(
  env: Readonly<Record<string, string | undefined>>,
  adapter: Adapter,
): IntegrationConfig {
  // Built applications run as in production.
  rejectProduction('integrationConfig', { allowInProduction: env['SITEAUTH_SUITE'] !== undefined })
  const { sessions, guard, basePath, issuer, clientId, clientSecret, mail } = readSettings(env)
  const post = async (message: PostedMail) => {
    await fetch(mail, { method: 'POST', body: JSON.stringify(message) })
  }
  const provider: OIDCConfig<Profile> = {
    id: 'fake',
    name: 'Fake',
    type: 'oidc',
    issuer,
    clientId,
    clientSecret,
  }
  const email: EmailConfig = {
    id: 'mail',
    name: 'Mail',
    type: 'email',
    code: true,
    sendVerificationRequest: ({ identifier: to, url, code }) => post({ to, url, code }),
  }
  return {
    ...(env['AUTH_SECRET'] && { secret: env['AUTH_SECRET'] }),
    trustHost: true,
    basePath,
    adapter: failingFor(addressOf(UNREADABLE), adapter),
    session: { strategy: sessions === 'database' ? 'database' : 'jwt' },
    ...(guard === 'front' && { pages: { signIn: '/login' } }),
    experimental: { enableWebAuthn: true },
    // All of the suite comes from one address, and guesses wrong now and then.
    limits: false,
    logger: { error() {}, warn() {}, debug() {} },
    providers: [
      Credentials({
        credentials: { name: {}, password: {} },
        authorize: ({ name, password }) =>
          password === PASSWORD ? findOrCreate(adapter, String(name)) : null,
      }),
      provider,
      email,
      Password({
        mail: ({ to, url }) => post({ to, url }),
        // So that nobody waits: what is hashed is of no use to anybody.
        hashing: { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } },
      }),
      Passkey({}),
    ],
    callbacks: {
      jwt({ token, user, trigger, session }) {
        if (user?.name === LARGE) return { ...token, padding: 'x'.repeat(9000) }
        const name = trigger === 'update' ? nameIn(session) : undefined
        return name === undefined ? token : { ...token, name }
      },
    },
  }
}

/** A message, as the application posts it to the suite. */
export interface PostedMail {
  readonly to: string
  readonly url?: string | undefined
  readonly code?: string | undefined
}

async function findOrCreate(adapter: Adapter, name: string): Promise<User> {
  const email = addressOf(name)
  const existing = await adapter.getUserByEmail?.(email)
  if (existing) return existing
  const user = { id: crypto.randomUUID(), name, email, emailVerified: null }
  return (await adapter.createUser?.(user)) ?? user
}

/** A store that is down whenever it is asked for a session of one person. */
function failingFor(email: string, adapter: Adapter): Adapter {
  // Without the way to read and renew at once, there is one way to read.
  const { getAndRenewSession: _, ...rest } = adapter
  return {
    ...rest,
    async getSessionAndUser(token) {
      const found = (await adapter.getSessionAndUser?.(token)) ?? null
      if (found?.user.email === email) throw new Error('The store is down.')
      return found
    },
  }
}

function nameIn(changes: unknown): string | undefined {
  const isNamed = typeof changes === 'object' && changes !== null && 'name' in changes
  return isNamed ? String(changes.name) : undefined
}
