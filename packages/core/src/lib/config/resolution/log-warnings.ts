import { canTakeOver } from '../../account/claim-address.ts'
import { lazily } from '../../base/awaitable.ts'
import type { LoggerInstance, WarningCode } from '../../base/logger.ts'
import type { Theme } from '../../branding/theme.ts'
import { isPrivateHost } from '../../oauth/private-host.ts'
import { providerVariable } from '../../providers/complete-provider.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { type Env, modeOf } from '../env.ts'
import type { StoreFor } from '../needed-methods.ts'
import type { PageConfig, ResolvedConfig } from '../resolved-config.ts'
import type { ConfigSources } from '../sources.ts'
import { unjudgedHosts } from '../validation/listed-hosts.ts'
import type { ResolvedProviders } from './resolve-providers.ts'

/** Tells the log what works, but should be known. */
export function logWarnings(
  sources: ConfigSources,
  { logger, paths }: PageConfig,
  { providers, repeatedIds }: ResolvedProviders,
): void {
  const { options, secrets } = sources
  const warnOf = (warning: WarningCode, isDue: unknown) => isDue && logger.warn(warning)
  warnOf('debug-enabled', options.debug && !options.logger)
  warnOf(
    'short-secret',
    secrets.some(secret => secret && secret.length < 32),
  )
  const missing = missingClientIds(providers)
  if (missing) logger.warn('missing-client-id', missing)
  const unjudged = unjudgedHosts(sources)
  if (unjudged) logger.warn('unknown-suffix', unjudged)
  warnOf('experimental-webauthn', options.experimental?.enableWebAuthn)
  warnOf('any-host-trusted', trustsAnyHost(sources))
  warnOf('insecure-url', isInsecure(sources))
  warnOf('generated-secret', isOnTrial(sources))
  warnOf('repeated-provider-id', repeatedIds.length > 0)
  if (paths.warning) logger.warn(paths.warning)
  if (options.theme) warnOfTheme(options.theme, logger)
}

/** Logs a warning if a password reset does not end the sessions of an attacker. */
export function warnOfLastingSessions({ logger, providers, endUser }: ResolvedConfig): void {
  const hasPasswords = [...providers.values()].some(({ type }) => type === 'password')
  if (hasPasswords && !endUser) logger.warn('sessions-outlast-passwords')
}

/** Logs a warning if an interrupted request may leave an account linked to a user whose address is proved meanwhile. */
export function warnOfUnconditionalLinks(config: ResolvedConfig): void {
  const { adapter, endUser, logger } = config
  if (!adapter || (adapter.linkAccountIf && adapter.claimUser) || !endUser) return
  const providers = [...config.providers.values()]
  const canLink = providers.some(each => isOAuth(each) || each.type === 'webauthn')
  // If the owner gets another row, whatever is linked to the first one stays there.
  const rows = adapter as StoreFor<'email'> // whatever is missing is asked for below
  if (canLink && providers.some(provesAddresses) && canTakeOver(rows)) {
    logger.warn('unconditional-linking')
  }
}

/** Whether people who sign in by a provider get the user that has the address, if nobody has proved it. */
function provesAddresses(provider: ProviderObject): boolean {
  return isOAuth(provider)
    ? provider.allowDangerousEmailAccountLinking === true
    : provider.type === 'email' || provider.type === 'password'
}

/** Whether the library is being tried out without a secret. */
export function isOnTrial({ secrets, env }: ConfigSources): boolean {
  return secrets.length === 0 && isDevelopment(env)
}

/** Whether this is the machine of a developer. */
export function isDevelopment(env: Env): boolean {
  return modeOf(env) === 'development'
}

/** Which providers have no client id, and the variable that each is to be found in. Empty if all have one. */
function missingClientIds(providers: ResolvedProviders['providers']): string {
  return [...providers.values()]
    .filter(each => isOAuth(each) && !each.clientId)
    .map(({ id }) => `"${id}" is missing ${providerVariable(id, 'ID')}.`)
    .join(' ')
}

/** Platforms that set the host themselves leave a visitor no choice. */
function trustsAnyHost({ env, envOptions, trustHost }: ConfigSources): boolean {
  const isPublic = modeOf(env) === 'production' && !env['VERCEL'] && !env['CF_PAGES']
  return isPublic && !envOptions.url && trustHost === true
}

/** Names of a private network, such as those of containers, have no certificates. */
function isInsecure({ env, envOptions: { url } }: ConfigSources): boolean {
  const isPlain = modeOf(env) === 'production' && url?.protocol === 'http:'
  return isPlain && !isPrivateHost(url.hostname)
}

const themes = lazily(() => import('../../branding/theme-warnings.ts'))

/** Not awaited: the code that distinguishes colours from other texts is as long as all the other checks. */
function warnOfTheme(theme: Theme, logger: LoggerInstance): void {
  void themes(({ themeWarnings }) => {
    for (const warning of themeWarnings(theme)) logger.warn(warning)
  })
}
