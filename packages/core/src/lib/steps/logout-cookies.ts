import type { Account, Profile } from '../base/model.ts'
import type { ResolvedConfig } from '../config/resolved.ts'
import { type CookieOption, clearCookie, type SetCookie, setCookie } from '../http/cookies.ts'
import {
  HINT_MAX_AGE,
  type LogoutHint,
  logoutHint,
  openHint,
  sealHint,
} from '../oauth/logout-hint.ts'
import type { OAuthConfig } from '../providers/oauth.ts'
import type { IssuedSession } from '../session/store.ts'
import type { Incoming } from './incoming.ts'
import { oauthRuntime } from './oauth-runtime.ts'

/** A cookie that comes along only to where people sign out: it may be large, and concerns nobody else. */
export function logoutCookie(
  config: Pick<ResolvedConfig, 'paths'>,
  request: Incoming,
  name: 'siteauth.hint' | 'siteauth.logout',
): CookieOption {
  // Wherever the session is, so is what ends it.
  const { expires, maxAge, encode, ...options } = request.cookieOptions.sessionToken.options
  const prefix = options.secure ? '__Secure-' : ''
  return { name: prefix + name, options: { ...options, path: `${config.paths.public}/signout` } }
}

/** The provider of a configuration that signs people out at itself, too; undefined if that is another. */
export function endingProvider(
  config: Pick<ResolvedConfig, 'providers'>,
  id: string,
): OAuthConfig<Profile> | undefined {
  const provider = config.providers.get(id)
  const isOAuth = provider?.type === 'oidc' || provider?.type === 'oauth'
  return isOAuth && provider.logout === 'provider' ? (provider as OAuthConfig<Profile>) : undefined
}

/** The cookie by which a session that begins is ended at its provider, too. It replaces that of an earlier one. */
export async function keepHint(
  config: ResolvedConfig,
  request: Incoming,
  account: Account,
  issued: IssuedSession | null,
): Promise<SetCookie> {
  const cookie = logoutCookie(config, request, 'siteauth.hint')
  const provider = endingProvider(config, account.provider)
  const userId = issued && provider ? await request.sessions.userIdOf(issued.token) : null
  if (!provider || userId === null) return clearCookie(cookie)
  const now = config.ports.now()
  const hint = logoutHint(oauthRuntime(config).resolve(provider), account, userId)
  const sealed = await sealHint(hint, config.sealerFor('siteauth.hint'), now)
  return setCookie(cookie, sealed, { maxAge: HINT_MAX_AGE })
}

/** What the cookie says about a session of this user; null if there is none for it. */
export async function readHint(
  config: ResolvedConfig,
  request: Incoming,
  userId: string,
): Promise<LogoutHint | null> {
  const { name } = logoutCookie(config, request, 'siteauth.hint')
  const sealer = config.sealerFor('siteauth.hint')
  const hint = await openHint(request.cookies[name] ?? '', sealer, config.ports.now())
  return hint?.userId === userId ? hint : null
}

/** Removes the cookie. */
export function clearHint(config: ResolvedConfig, request: Incoming): SetCookie {
  return clearCookie(logoutCookie(config, request, 'siteauth.hint'))
}
