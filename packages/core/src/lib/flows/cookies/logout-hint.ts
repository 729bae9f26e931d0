import type { Profile } from '../../base/user.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { type CookieOption, clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import { readValues } from '../../http/duplicate-session-cookies.ts'
import { type SessionScopedName, sessionScoped } from '../../http/fixed-cookies.ts'
import {
  HINT_MAX_AGE,
  type LogoutHint,
  logoutHint,
  openHint,
  sealHint,
} from '../../oauth/logout/logout-hint.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { NewSession, ProvenIdentity } from '../../session/store.ts'
import { oauthRuntime } from '../provider/oauth-runtime.ts'
import type { Incoming } from '../request/incoming.ts'

/** A cookie that browsers send only to the sign-out endpoints: it may be large, and other requests do not need it. */
export function logoutCookie(
  config: Pick<ResolvedConfig, 'paths'>,
  request: Incoming,
  name: Extract<SessionScopedName, 'siteauth.hint' | 'siteauth.logout'>,
): CookieOption {
  // It has the scope of the session.
  const cookie = sessionScoped(request.cookieOptions.sessionToken, name)
  return { ...cookie, options: { ...cookie.options, path: `${config.paths.public}/signout` } }
}

/** Says to every page that there is a hint, for calls of the application, which are not sent the hint. */
function markerCookie({ cookieOptions }: Incoming): CookieOption {
  return sessionScoped(cookieOptions.sessionToken, 'siteauth.via')
}

/** The provider of a configuration that signs people out at itself, too; undefined if that is another. */
export function logoutProvider(
  config: Pick<ResolvedConfig, 'providers'>,
  id: string,
): OAuthConfig<Profile> | undefined {
  const provider = config.providers.get(id)
  const isOAuth = provider?.type === 'oidc' || provider?.type === 'oauth'
  return isOAuth && provider.logout === 'provider' ? (provider as OAuthConfig<Profile>) : undefined
}

/** The cookies by which a session that begins is ended at its provider, too. They replace those of an earlier one. */
export async function storeHint(
  config: ResolvedConfig,
  request: Incoming,
  { user, account }: Pick<ProvenIdentity, 'user' | 'account'>,
  issued: NewSession | null,
): Promise<readonly SetCookie[]> {
  const cookie = logoutCookie(config, request, 'siteauth.hint')
  const provider = logoutProvider(config, account.provider)
  if (!issued || !provider) return clearHint(config, request)
  // The application may have chosen the user id in a session token.
  const ofToken = request.sessions.needsStoredUser ? user.id : issued.userId
  if (!ofToken) return clearHint(config, request)
  const userId = String(ofToken)
  const now = config.ports.now()
  const hint = await logoutHint(oauthRuntime(config).resolve(provider), account, userId)
  const sealed = await sealHint(hint, config.sealerFor(PURPOSES.logoutHint), now)
  // A temporary session has a temporary hint.
  const attributes = issued.isTemporary ? {} : { maxAge: HINT_MAX_AGE }
  return [setCookie(cookie, sealed, attributes), setCookie(markerCookie(request), '1', attributes)]
}

/** The hint for a session of this user; null if there is none. */
export async function readHint(
  config: ResolvedConfig,
  request: Incoming,
  userId: string,
): Promise<LogoutHint | null> {
  const { name } = logoutCookie(config, request, 'siteauth.hint')
  const sealer = config.sealerFor(PURPOSES.logoutHint)
  for (const sealed of readValues(request.headers.get('cookie'), name)) {
    const hint = await openHint(sealed, sealer, config.ports.now())
    if (hint?.userId === userId) return hint
  }
  return null
}

/** Whether there should be a hint, as far as a request can tell that does not bring it. */
export function mayHaveHint(request: Incoming): boolean {
  return request.cookies[markerCookie(request).name] !== undefined
}

/** Removes the cookies. */
export function clearHint(config: ResolvedConfig, request: Incoming): readonly SetCookie[] {
  return [
    clearCookie(logoutCookie(config, request, 'siteauth.hint')),
    clearCookie(markerCookie(request)),
  ]
}
