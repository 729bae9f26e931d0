import { primitives } from '#crypto'
import type { AdapterUser, VerificationToken } from '../../base/adapter.ts'
import type { Account } from '../../base/user.ts'
import type { StoreFor } from '../../config/needed-methods.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { uuidFrom } from '../../crypto/random.ts'
import { createLinkTokens, isSigned, type LinkTokens } from '../../email/link-token.ts'
import { createEmailTokens } from '../../email/token.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { claimableRows } from './account-store.ts'
import type { ReadLink } from './mailed-link.ts'
import type { IssueTime, SignInAttempt } from './sign-in-attempt.ts'

/** The methods of a store that signing in by email needs. */
export type EmailStore = StoreFor<'email'>

/**
 * The store. That it has the methods was checked when the configuration was.
 *
 * @param attempt the sign-in that may put others out of a user
 */
export function emailRows(config: ResolvedConfig, attempt?: SignInAttempt): EmailStore {
  return claimableRows(config, config.adapter ?? {}, attempt) as EmailStore
}

/** The functions that make links and codes of a provider. */
export function emailSecrets(config: ResolvedConfig, { secret }: EmailConfig): readonly string[] {
  return secret ? config.bindSecrets([secret]) : config.secrets
}

/** One day: people read their mail when they do. */
const DEFAULT_MAX_AGE = 86_400

/** How long a link works, in seconds. */
export function linkMaxAge({ maxAge = DEFAULT_MAX_AGE }: EmailConfig): number {
  return maxAge
}

/**
 * When a link was issued.
 *
 * @param maxAge how long it works, in seconds
 */
export function issueTimeOf(
  { startedAt }: Pick<ReadLink, 'startedAt'>,
  { expires }: Pick<VerificationToken, 'expires'>,
  maxAge: number,
): IssueTime {
  const start = startedAt === undefined ? undefined : { time: startedAt }
  return { start, issuedAt: expires.getTime() - maxAge * 1000 }
}

/** How the tokens of a provider's links are made. */
export function linkTokensOf(config: ResolvedConfig, provider: EmailConfig): LinkTokens {
  const owner = [PURPOSES.emailLink, provider.id] as const
  return createLinkTokens(primitives, emailSecrets(config, provider), owner)
}

// A signed token names its provider, so it is stored as Auth.js stores it: servers of either version find it. For a token
// of the application's making, the hash names the provider, if there is another provider that could take it.

/** The hash that is stored of a token. */
export function hashLink(
  config: ResolvedConfig,
  provider: EmailConfig,
  token: string,
): Promise<string> {
  const isBound = isSigned(token) || !hasRivals(config, provider)
  return emailTokensFor(config, provider).hash(isBound ? token : ownText(provider, token))
}

/** Every hash that may be stored of a token, the likeliest first. */
export async function linkCandidates(
  config: ResolvedConfig,
  provider: EmailConfig,
  token: string,
): Promise<readonly string[]> {
  const tokens = emailTokensFor(config, provider)
  const candidates = await tokens.candidates(token)
  if (isSigned(token) || !provider.generateVerificationToken) return candidates
  // Also with one provider: there may have been two when the link was sent.
  const own = await tokens.candidates(ownText(provider, token))
  return hasRivals(config, provider) ? [...own, ...candidates] : [...candidates, ...own]
}

function emailTokensFor(config: ResolvedConfig, provider: EmailConfig) {
  return createEmailTokens(primitives, emailSecrets(config, provider))
}

function hasRivals({ providers }: ResolvedConfig, { id }: EmailConfig): boolean {
  return [...providers.values()].some(each => each.type === 'email' && each.id !== id)
}

function ownText({ id }: EmailConfig, token: string): string {
  return JSON.stringify([PURPOSES.emailLink, id, token])
}

/**
 * Takes the row of a link out of the store; null if it does not exist. A second caller finds it gone.
 *
 * @param key its address, and what is stored of its token
 */
export async function takeLink(
  config: ResolvedConfig,
  { identifier, token }: Pick<VerificationToken, 'identifier' | 'token'>,
): Promise<VerificationToken | 'of another' | 'expired' | null> {
  const used = await emailRows(config).useVerificationToken({ identifier, token })
  if (!used) return null
  // The store's result decides who signs in, so it is checked.
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
