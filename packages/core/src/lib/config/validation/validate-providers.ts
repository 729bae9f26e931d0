import {
  type AuthError,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAuthorize,
  MissingSecretError,
} from '../../base/errors.ts'
import { isPublishedSecret, PUBLISHED_SECRET } from '../../crypto/published-secrets.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { isOAuth } from '../../providers/is-oauth.ts'
import type { OAuth2Config, OIDCConfig } from '../../providers/oauth.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import type { AuthConfig } from '../options.ts'
import { lifetimeOf, revocationsOf } from '../session-readers.ts'
import { passwordProblems } from './validate-passwords.ts'

/** The problems with a provider by itself. */
export function providerProblems(provider: ProviderObject): AuthError[] {
  if (isOAuth(provider)) return [...endpointProblems(provider), ...logoutProblems(provider)]
  if (provider.type === 'credentials' && typeof provider.authorize !== 'function') {
    return [
      new MissingAuthorize(
        `The provider "${provider.id}" needs an \`authorize\` function, which decides who signs in.`,
      ),
    ]
  }
  if (provider.type === 'email') return emailProblems(provider)
  if (provider.type === 'password')
    return passwordProblems(provider).map(each => new InvalidConfiguration(each))
  return []
}

function emailProblems({ id, secret, code, elsewhere = 'confirm' }: EmailConfig): AuthError[] {
  if (secret && isPublishedSecret(secret)) return [new MissingSecretError(PUBLISHED_SECRET)]
  if (!['confirm', 'show-code'].includes(elsewhere)) {
    return [
      new InvalidConfiguration(
        `elsewhere of the provider "${id}" must be 'confirm' or 'show-code'.`,
      ),
    ]
  }
  if (elsewhere === 'confirm' || code === true) return []
  return [
    new InvalidConfiguration(
      `The provider "${id}" has no code to show elsewhere. Set its \`code: true\`.`,
    ),
  ]
}

function endpointProblems(provider: OAuth2Config<unknown> | OIDCConfig<unknown>): AuthError[] {
  if (provider.issuer || provider.wellKnown) return []
  const endpoints = ['authorization', 'token', 'userinfo'] as const
  const missing = endpoints.find(name => {
    const endpoint = provider[name]
    if (typeof endpoint === 'string') return endpoint === ''
    return !endpoint?.url && !(endpoint && 'request' in endpoint && endpoint.request)
  })
  if (!missing) return []
  return [
    new InvalidEndpoints(
      `The provider "${provider.id}" has neither an \`issuer\` nor a URL for \`${missing}\`. Set one of them.`,
    ),
  ]
}

function logoutProblems(provider: OAuth2Config<unknown> | OIDCConfig<unknown>): AuthError[] {
  const { id, logout, endSession, revocation, type } = provider
  if (logout === undefined || logout === 'local') return []
  if (logout !== 'provider') {
    return [
      new InvalidConfiguration(`The provider "${id}": \`logout\` must be 'local' or 'provider'.`),
    ]
  }
  if (type === 'oidc' || endSession || revocation) return []
  return [
    new InvalidEndpoints(
      `The provider "${id}" has \`logout: 'provider'\`, but nothing says how to sign out there. Set ` +
        '`endSession` to the URL people are sent to, or `revocation` to the one where tokens are revoked.',
    ),
  ]
}

/** The problems with providers that may end sessions here. */
export function noticeProblems(
  providers: readonly ProviderObject[],
  options: AuthConfig,
): AuthError[] {
  const channels = ['backChannelLogout', 'frontChannelLogout'] as const
  return providers.filter(isOAuth).flatMap(provider =>
    channels
      .filter(channel => provider[channel])
      .flatMap(channel => {
        const where = `The provider "${provider.id}" has \`${channel}\``
        if (provider.type !== 'oidc') {
          return [
            new InvalidConfiguration(
              `${where}, which only providers of type "oidc" can have. Leave it out.`,
            ),
          ]
        }
        if (revocationsOf(options, lifetimeOf(options))) return []
        return [
          new InvalidConfiguration(
            `${where}, which needs a log of ended sessions. Use an adapter that keeps one, as all of ours ` +
              'do, or set `session.revocation.log`.',
          ),
        ]
      }),
  )
}
