import {
  type AuthError,
  DuplicateConditionalUI,
  ExperimentalFeatureNotEnabled,
  InvalidConfiguration,
  InvalidEndpoints,
  MissingAdapter,
  MissingAdapterMethods,
  MissingAuthorize,
  MissingSecretError,
  MissingWebAuthnAutocomplete,
  UntrustedHost,
} from '../../base/errors.ts'
import type { Adapter } from '../../base/model.ts'
import { isOriginPattern } from '../../oauth/authorization/listed-origin.ts'
import type { EmailConfig } from '../../providers/email.ts'
import type { OAuth2Config, OIDCConfig } from '../../providers/oauth.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import type { WebAuthnConfig } from '../../providers/webauthn.ts'
import { completeAccount } from '../account-options.ts'
import { completeRevocation, completeSession } from '../complete-options.ts'
import { cookieFault, cookieTables } from '../cookies.ts'
import { limitFaults } from '../limits.ts'
import { NEEDED } from '../needed-methods.ts'
import type { AuthConfig, SessionOptions } from '../options.ts'
import { redirectProxyOrigins, redirectProxyUrl } from '../provider-env.ts'
import { checkSessionOptions, type SessionOption, strategyOf } from '../session-config.ts'
import { endingsOf, lifetimeOf, trackStoreOf } from '../session-readers.ts'
import { isHttpUrl, isPage } from '../site-address.ts'
import type { ConfigSources } from '../sources.ts'
import { passwordFaults, severalPasswordFaults } from './validate-passwords.ts'

/** The providers of an application, by their ids. */
type Providers = ReadonlyMap<string, ProviderObject>

/** Everything that is wrong with a configuration, each with what to do about it. */
export function findFaults(sources: ConfigSources, providers: Providers): readonly AuthError[] {
  const all = [...providers.values()]
  return [
    ...sessionFaults(sources),
    ...optionFaults(sources).map(invalid),
    ...limitFaults(sources.options).map(invalid),
    ...trackFaults(sources.options),
    ...all.flatMap(providerFaults),
    ...noticeFaults(all, sources.options),
    ...webauthnFaults(all, sources.options),
    ...severalPasswordFaults(all).map(invalid),
    ...adapterFaults(all, sources.options),
    ...cookieFaults(sources),
  ]
}

function invalid(message: string): AuthError {
  return new InvalidConfiguration(message)
}

/** What is wrong with how sessions are to be listed. */
function trackFaults(options: AuthConfig): readonly AuthError[] {
  const { track, describe } = options.session ?? {}
  const store = trackStoreOf(options)
  const isTracked = strategyOf(options) === 'jwt' && Boolean(track)
  const methods = ['add', 'renew', 'list', 'remove', 'removeAll'] as const
  return [
    describe !== undefined &&
      typeof describe !== 'function' &&
      'session.describe must be a function that answers a text.',
    isTracked &&
      !store &&
      'session.track needs an adapter that keeps sessions in cookies, as all of ours do; or give it such a store.',
    isTracked &&
      store &&
      methods.some(name => typeof store[name] !== 'function') &&
      `session.track must be true, false, or a store with the methods ${methods.join(', ')}.`,
    isTracked &&
      !endingsOf(options, lifetimeOf(options)) &&
      'session.track is for sessions that can be ended. Set session.revocation.log, or use an adapter that has one.',
  ]
    .filter(each => typeof each === 'string')
    .map(each => new InvalidConfiguration(each))
}

function sessionFaults(sources: ConfigSources): readonly AuthError[] {
  const isSound = checkSessionOptions(sources)
  const names = Object.keys(isSound) as SessionOption[] // as its type says
  return names.filter(name => !isSound[name]).map(name => describeFault[name](sources))
}

const describeFault: Readonly<Record<SessionOption, (sources: ConfigSources) => AuthError>> = {
  secret: () =>
    new MissingSecretError(
      'There is no secret. Set AUTH_SECRET to a random string of at least 32 characters, or pass `secret`.',
    ),
  jwtSecret: () =>
    new MissingSecretError(
      'One of the secrets in `jwt.secret` is empty, or no text. Remove it, or set it.',
    ),
  trustHost: () =>
    new UntrustedHost(
      'The host of the application is unknown. Set AUTH_URL to its URL, list its hosts in ' +
        '`trustHost`, or set AUTH_TRUST_HOST=true if your own proxy sets the host header.',
    ),
  maxAge: () => invalid('session.maxAge must be a number of seconds greater than 0.'),
  absoluteAge: () => invalid('session.absoluteAge must be a number of seconds greater than 0.'),
  jwtMaxAge: () => invalid('jwt.maxAge must be a number of seconds greater than 0.'),
  updateAge: () => invalid('session.updateAge must be a number of seconds, 0 or greater.'),
  audience: () =>
    invalid('session.audience must be a non-empty string, such as the name of the tenant.'),
  expose: ({ options }) =>
    invalid(
      'session.expose must list columns of the user, or claims of the token, such as ' +
        `["id", "role"]. It is ${JSON.stringify(options.session?.expose)}.`,
    ),
  cacheSize: () => invalid('jwt.cacheSize must be a number of bytes. 0 turns the cache off.'),
}

/** What is wrong with options that most sessions have nothing to do with. */
function optionFaults(sources: ConfigSources): readonly string[] {
  const { options, env } = sources
  const { basePath } = options
  const { remember, hashTokens } = completeSession(options.session)
  const proxyUrl = redirectProxyUrl(options.redirectProxyUrl, env)
  const faultyPages = Object.entries(options.pages ?? {}).filter(
    ([, page]) => page !== undefined && !isPage(page),
  )
  const faultyOrigins = redirectProxyOrigins(options.redirectProxyOrigins, env).filter(
    each => !isOriginPattern(each),
  )
  return [
    !!basePath && !basePath.startsWith('/') && 'basePath must start with a slash, as in "/auth".',
    !['jwt', 'database'].includes(strategyOf(options)) &&
      `session.strategy must be 'jwt' or 'database'.`,
    ![true, false, 'ask'].includes(remember) && `session.remember must be true, false or 'ask'.`,
    ![true, false, 'accept', 'migrate'].includes(hashTokens) &&
      `session.hashTokens must be true, false, 'accept' or 'migrate'.`,
    ...revocationFaults(options.session?.revocation),
    ...accountFaults(options),
    ...faultyPages.map(
      ([name]) => `pages.${name} must be a path such as "/login", or an http(s) URL.`,
    ),
    proxyUrl !== undefined &&
      !isHttpUrl(proxyUrl) &&
      'redirectProxyUrl must be the full URL of the endpoints on the proxy.',
    ...faultyOrigins.map(
      each =>
        `redirectProxyOrigins must list origins such as "https://preview.example.com" or ` +
        `"https://*.preview.example.com", with no path, at most one * in a label and none in the ` +
        `last. It lists ${JSON.stringify(each)}.`,
    ),
  ].filter(each => typeof each === 'string')
}

/** What is wrong with how sessions are to be ended. */
function revocationFaults(wish: SessionOptions['revocation']): readonly string[] {
  if (wish === undefined || wish === false) return []
  if (typeof wish !== 'object' || wish === null) {
    return ['session.revocation must be an object, or false.']
  }
  const { check, whenStale, pollSeconds, maxStaleSeconds, log } = completeRevocation(wish)
  const methods = ['end', 'find', 'since'] as const
  return [
    !['always', 'on-renewal'].includes(check) &&
      `session.revocation.check must be 'always' or 'on-renewal'.`,
    !['reject', 'accept'].includes(whenStale) &&
      `session.revocation.whenStale must be 'reject' or 'accept'.`,
    !(Number.isFinite(pollSeconds) && pollSeconds > 0) &&
      'session.revocation.pollSeconds must be a number of seconds greater than 0.',
    !(Number.isFinite(maxStaleSeconds) && maxStaleSeconds >= pollSeconds) &&
      'session.revocation.maxStaleSeconds must be a number of seconds, no less than pollSeconds.',
    log !== undefined &&
      methods.some(name => typeof log?.[name] !== 'function') &&
      'session.revocation.log must have the methods end, find and since.',
  ].filter(each => each !== false)
}

/** What is wrong with what is to be done with tokens. */
function accountFaults(options: AuthConfig): readonly string[] {
  const { account = {} } = options
  if (typeof account !== 'object' || account === null) return ['account must be an object.']
  const { encryptTokens, storeTokensInCookie, sessionError, tokenCacheSeconds, exposeTokens } =
    completeAccount(options)
  return [
    typeof encryptTokens !== 'boolean' && 'account.encryptTokens must be true or false.',
    typeof sessionError !== 'boolean' && 'account.sessionError must be true or false.',
    typeof storeTokensInCookie !== 'boolean' &&
      'account.storeTokensInCookie must be true or false.',
    !(Number.isFinite(tokenCacheSeconds) && tokenCacheSeconds >= 0) &&
      'account.tokenCacheSeconds must be a number of seconds, 0 or greater.',
    !(Array.isArray(exposeTokens) && exposeTokens.every(each => typeof each === 'string')) &&
      'account.exposeTokens must list ids of providers, such as ["google"].',
  ].filter(each => each !== false)
}

function providerFaults(provider: ProviderObject): AuthError[] {
  if (isOAuth(provider)) return [...endpointFaults(provider), ...logoutFaults(provider)]
  if (provider.type === 'credentials' && typeof provider.authorize !== 'function') {
    return [
      new MissingAuthorize(
        `The provider "${provider.id}" needs an \`authorize\` function, which decides who signs in.`,
      ),
    ]
  }
  if (provider.type === 'email') return emailFaults(provider)
  if (provider.type === 'password') return passwordFaults(provider).map(invalid)
  return []
}

function emailFaults({ id, code, elsewhere = 'confirm' }: EmailConfig): AuthError[] {
  if (!['confirm', 'show-code'].includes(elsewhere)) {
    return [invalid(`elsewhere of the provider "${id}" must be 'confirm' or 'show-code'.`)]
  }
  if (elsewhere === 'confirm' || code === true) return []
  return [invalid(`The provider "${id}" has no code to show elsewhere. Set its \`code: true\`.`)]
}

function endpointFaults(provider: OAuth2Config<unknown> | OIDCConfig<unknown>): AuthError[] {
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

function logoutFaults(provider: OAuth2Config<unknown> | OIDCConfig<unknown>): AuthError[] {
  const { id, logout, endSession, revocation, type } = provider
  if (logout === undefined || logout === 'local') return []
  if (logout !== 'provider') {
    return [invalid(`The provider "${id}": \`logout\` must be 'local' or 'provider'.`)]
  }
  if (type === 'oidc' || endSession || revocation) return []
  return [
    new InvalidEndpoints(
      `The provider "${id}" has \`logout: 'provider'\`, but nothing says how to sign out there. Set ` +
        '`endSession` to the URL people are sent to, or `revocation` to the one where tokens are revoked.',
    ),
  ]
}

/** What is wrong with providers that may end sessions here. */
function noticeFaults(providers: readonly ProviderObject[], options: AuthConfig): AuthError[] {
  const channels = ['backChannelLogout', 'frontChannelLogout'] as const
  return providers.filter(isOAuth).flatMap(provider =>
    channels
      .filter(channel => provider[channel])
      .flatMap(channel => {
        const where = `The provider "${provider.id}" has \`${channel}\``
        if (provider.type !== 'oidc') {
          return [invalid(`${where}, which only providers of type "oidc" can have. Leave it out.`)]
        }
        if (endingsOf(options, lifetimeOf(options))) return []
        return [
          invalid(
            `${where}, which needs a log of ended sessions. Use an adapter that keeps one, as all of ours ` +
              'do, or set `session.revocation.log`.',
          ),
        ]
      }),
  )
}

function webauthnFaults(providers: readonly ProviderObject[], options: AuthConfig): AuthError[] {
  const all = providers.filter((each): each is WebAuthnConfig => each.type === 'webauthn')
  if (all.length === 0) return []
  const faults: AuthError[] = []
  if (!options.experimental?.enableWebAuthn) {
    faults.push(
      new ExperimentalFeatureNotEnabled('Set `experimental.enableWebAuthn` to use WebAuthn.'),
    )
  }
  const conditional = all.filter(each => each.enableConditionalUI)
  if (conditional.length > 1) {
    faults.push(
      new DuplicateConditionalUI('Only one WebAuthn provider may set `enableConditionalUI`.'),
    )
  }
  for (const { id, formFields } of conditional) {
    const isOffered = Object.values(formFields ?? {}).some(field =>
      String(field['autocomplete'] ?? '').includes('webauthn'),
    )
    if (!isOffered) {
      faults.push(
        new MissingWebAuthnAutocomplete(
          `The provider "${id}" needs a form field with "webauthn" in its \`autocomplete\`.`,
        ),
      )
    }
  }
  return faults
}

function adapterFaults(providers: readonly ProviderObject[], options: AuthConfig): AuthError[] {
  const strategy = strategyOf(options)
  const needs: { readonly feature: string; readonly methods: readonly (keyof Adapter)[] }[] = []
  if (strategy === 'database') {
    needs.push({ feature: 'database sessions', methods: NEEDED.database })
  }
  for (const type of ['email', 'webauthn', 'password'] as const) {
    if (providers.some(each => each.type === type)) {
      needs.push({ feature: `a provider of type ${type}`, methods: NEEDED[type] })
    }
  }
  const { adapter } = options
  if (adapter && strategy === 'jwt' && providers.some(isOAuth)) {
    needs.push({ feature: 'a provider of type oauth or oidc', methods: NEEDED.oauth })
  }
  return needs.flatMap(({ feature, methods }): AuthError[] => {
    if (!adapter) return [new MissingAdapter(`Set \`adapter\`: ${feature} needs a database.`)]
    const missing = methods.filter(method => !adapter[method])
    if (missing.length === 0) return []
    return [
      new MissingAdapterMethods(`The adapter lacks what ${feature} needs: ${missing.join(', ')}.`),
    ]
  })
}

function cookieFaults(sources: ConfigSources): AuthError[] {
  const faults = Object.values(cookieTables(sources)).flatMap(table =>
    Object.entries(table).flatMap(([key, cookie]) => cookieFault(key, cookie) ?? []),
  )
  return [...new Set(faults)].map(invalid)
}

/** Whether a provider may end sessions here. */
export function takesNotices(provider: ProviderObject): boolean {
  return isOAuth(provider) && Boolean(provider.backChannelLogout || provider.frontChannelLogout)
}

/** Whether a provider speaks OAuth 2, with or without OpenID Connect. */
export function isOAuth(
  provider: ProviderObject,
): provider is OAuth2Config<unknown> | OIDCConfig<unknown> {
  return provider.type === 'oauth' || provider.type === 'oidc'
}
