import { primitives } from '#crypto'
import type { Account, AdapterUser, VerificationToken } from '../../base/model.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { uuidFrom } from '../../crypto/random.ts'
import { createEmailTokens, type EmailTokens } from '../../email/token.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { claimableRows } from './account-store.ts'

/** What signing in by email asks of a store. */
export type EmailStore = StoreFor<'email'>

/** The store. That it has the methods was checked when the configuration was. */
export function emailRows(config: ResolvedConfig): EmailStore {
  return claimableRows(config, config.adapter ?? {}) as EmailStore
}

/** What links and codes of a provider are made with. */
export function emailSecrets(config: ResolvedConfig, { secret }: EmailConfig): readonly string[] {
  return secret ? config.bindSecrets([secret]) : config.secrets
}

/** One day: people read their mail when they do. */
const DEFAULT_MAX_AGE = 86_400

/** How long a link works, in seconds. */
export function linkMaxAge({ maxAge = DEFAULT_MAX_AGE }: EmailConfig): number {
  return maxAge
}

/** How the tokens of a provider are hashed. */
export function emailTokensFor(config: ResolvedConfig, provider: EmailConfig): EmailTokens {
  return createEmailTokens(primitives, emailSecrets(config, provider))
}

/**
 * Takes the row of a link out of the store; null if it is not there. A second caller finds it gone.
 *
 * @param key its address, and what is stored of its token
 */
export async function takeLink(
  config: ResolvedConfig,
  { identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>,
): Promise<VerificationToken | 'of another' | 'expired' | null> {
  const used = await emailRows(config).useVerificationToken({ identifier, token })
  if (!used) return null
  // What the store answers decides who signs in, so it is not taken on trust.
  const isIts = used.identifier === identifier && (used.token === undefined || used.token === token)
  if (!isIts) return 'of another'
  return used.expires.getTime() <= config.ports.now() ? 'expired' : used
}

/** Stands for someone who is not a user yet. */
export function standIn({ ports }: ResolvedConfig, email: string): AdapterUser {
  return { id: uuidFrom(ports.randomHex(16)), email, emailVerified: null }
}

/** The account that an address is. */
export function emailAccount({ id }: EmailConfig, user: AdapterUser): Account {
  return { providerAccountId: user.email, userId: user.id, type: 'email', provider: id }
}
