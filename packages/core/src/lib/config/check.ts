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
} from '../base/errors.ts'
import type { WarningCode } from '../base/logger.ts'
import type { Adapter } from '../base/model.ts'
import type { HostTrust } from '../http/origin.ts'
import { isOriginPattern } from '../oauth/listed-origin.ts'
import type { OAuth2Config, OIDCConfig } from '../providers/oauth.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { providerVariable } from '../providers/provider-variable.ts'
import type { WebAuthnConfig } from '../providers/webauthn.ts'
import { type CookieTable, cookieFault } from './cookies.ts'
import { isExposable } from './exposable.ts'
import type { AuthConfig } from './options.ts'
import { isHttpUrl, isPage } from './pages.ts'
import { revocationFaults } from './revocation-faults.ts'

/** What a configuration comes to, before it is put to use. */
export interface Candidate {
  readonly options: AuthConfig
  readonly providers: ReadonlyMap<string, ProviderObject>
  readonly secrets: readonly string[]
  readonly origin: string | undefined
  readonly trustHost: HostTrust
  readonly strategy: 'jwt' | 'database'
  readonly redirectProxyUrl: string | undefined
  readonly redirectProxyOrigins: readonly string[]
  readonly cookies: readonly CookieTable[]
}

/** Everything that is wrong with a configuration, each with what to do about it. */
export function findFaults(candidate: Candidate): readonly AuthError[] {
  const providers = [...candidate.providers.values()]
  return [
    ...secretFaults(candidate),
    ...hostFaults(candidate),
    ...optionFaults(candidate),
    ...providers.flatMap(providerFaults),
    ...webauthnFaults(providers, candidate.options),
    ...adapterFaults(providers, candidate),
    ...cookieFaults(candidate.cookies),
  ]
}

/** What works, but should be known. */
export function findWarnings(candidate: Candidate): readonly WarningCode[] {
  const warnings: WarningCode[] = []
  if (candidate.options.debug && !candidate.options.logger) warnings.push('debug-enabled')
  if (candidate.secrets.some(secret => secret.length < 32)) warnings.push('short-secret')
  if (missingClientIds(candidate)) warnings.push('missing-client-id')
  if (candidate.options.experimental?.enableWebAuthn) warnings.push('experimental-webauthn')
  return warnings
}

/** Which providers have no client id, and the variable that each is to be found in. Empty if all have one. */
export function missingClientIds({ providers }: Pick<Candidate, 'providers'>): string {
  return [...providers.values()]
    .filter(each => isOAuth(each) && !each.clientId)
    .map(({ id }) => `"${id}" is missing ${providerVariable(id, 'ID')}.`)
    .join(' ')
}

function secretFaults({ secrets, options }: Candidate): AuthError[] {
  const faults: AuthError[] = []
  if (secrets.length === 0 || !secrets.every(Boolean)) {
    faults.push(
      new MissingSecretError(
        'There is no secret. Set AUTH_SECRET to a random string of at least 32 characters, or pass `secret`.',
      ),
    )
  }
  const ofTokens = options.jwt?.secret
  if (Array.isArray(ofTokens) && !ofTokens.every(Boolean)) {
    faults.push(
      new MissingSecretError('One of the secrets in `jwt.secret` is empty. Remove it, or set it.'),
    )
  }
  return faults
}

function hostFaults({ origin, trustHost }: Candidate): AuthError[] {
  if (origin || trustHost === true || (Array.isArray(trustHost) && trustHost.length > 0)) return []
  return [
    new UntrustedHost(
      'It is not known at which host the application is. Set AUTH_URL to its URL, list its hosts in ' +
        '`trustHost`, or set AUTH_TRUST_HOST=true where a proxy of yours sets the host header.',
    ),
  ]
}

function optionFaults({ options, redirectProxyUrl, redirectProxyOrigins }: Candidate): AuthError[] {
  const { basePath, session, pages } = options
  const faults: AuthError[] = []
  if (basePath && !basePath.startsWith('/')) {
    faults.push(new InvalidConfiguration(`basePath must start with a slash, as in "/auth".`))
  }
  const { updateAge } = session ?? {}
  const ages = {
    'session.maxAge': session?.maxAge,
    'session.absoluteAge': session?.absoluteAge,
    'jwt.maxAge': options.jwt?.maxAge,
  }
  for (const [name, age] of Object.entries(ages)) {
    if (age !== undefined && !(Number.isFinite(age) && age > 0)) {
      faults.push(new InvalidConfiguration(`${name} must be a number of seconds greater than 0.`))
    }
  }
  if (updateAge !== undefined && !(updateAge >= 0)) {
    faults.push(
      new InvalidConfiguration('session.updateAge must be a number of seconds, 0 or greater.'),
    )
  }
  const { remember = true, hashTokens = false } = session ?? {}
  if (![true, false, 'ask'].includes(remember)) {
    faults.push(new InvalidConfiguration(`session.remember must be true, false or 'ask'.`))
  }
  if (![true, false, 'migrate'].includes(hashTokens)) {
    faults.push(new InvalidConfiguration(`session.hashTokens must be true, false or 'migrate'.`))
  }
  const audience: unknown = session?.audience
  if (audience !== undefined && (typeof audience !== 'string' || audience === '')) {
    faults.push(
      new InvalidConfiguration(
        'session.audience must be a text that is not empty, such as the name of the tenant.',
      ),
    )
  }
  if (!isExposable(session?.expose)) {
    faults.push(
      new InvalidConfiguration(
        'session.expose must be a list of columns of the user, or claims of the token, such as ' +
          `["id", "role"]. It is ${JSON.stringify(session?.expose)}.`,
      ),
    )
  }
  faults.push(...revocationFaults(session ?? {}))
  const { cacheSize } = options.jwt ?? {}
  if (cacheSize !== undefined && !(cacheSize >= 0)) {
    faults.push(
      new InvalidConfiguration('jwt.cacheSize must be a number of bytes. 0 turns the cache off.'),
    )
  }
  for (const [name, page] of Object.entries(pages ?? {})) {
    if (page !== undefined && !isPage(page)) {
      faults.push(
        new InvalidConfiguration(
          `pages.${name} must be a path such as "/login", or an http(s) URL.`,
        ),
      )
    }
  }
  if (redirectProxyUrl && !isHttpUrl(redirectProxyUrl)) {
    faults.push(
      new InvalidConfiguration('redirectProxyUrl must be the full URL of the endpoints there.'),
    )
  }
  for (const each of redirectProxyOrigins) {
    if (isOriginPattern(each)) continue
    faults.push(
      new InvalidConfiguration(
        `redirectProxyOrigins must list origins such as "https://preview.example.com" or ` +
          `"https://*.preview.example.com", with no path, at most one * in a label and none in the ` +
          `last. It lists ${JSON.stringify(each)}.`,
      ),
    )
  }
  return faults
}

function providerFaults(provider: ProviderObject): AuthError[] {
  if (isOAuth(provider)) return endpointFaults(provider)
  if (provider.type === 'credentials' && typeof provider.authorize !== 'function') {
    return [
      new MissingAuthorize(
        `The provider "${provider.id}" needs an \`authorize\` function, which decides who signs in.`,
      ),
    ]
  }
  return []
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

const databaseMethods = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
] as const satisfies readonly (keyof Adapter)[]

const neededBy = {
  oauth: ['createUser', 'getUser', 'getUserByEmail', 'getUserByAccount', 'linkAccount'],
  email: [
    'createVerificationToken',
    'useVerificationToken',
    'getUserByEmail',
    'createUser',
    'updateUser',
  ],
  webauthn: [
    'createUser',
    'getUser',
    'getUserByEmail',
    'linkAccount',
    'getAccount',
    'getAuthenticator',
    'createAuthenticator',
    'listAuthenticatorsByUserId',
    'updateAuthenticatorCounter',
  ],
} as const satisfies Record<string, readonly (keyof Adapter)[]>

function adapterFaults(
  providers: readonly ProviderObject[],
  { options, strategy }: Candidate,
): AuthError[] {
  const needs: { readonly feature: string; readonly methods: readonly (keyof Adapter)[] }[] = []
  if (strategy === 'database')
    needs.push({ feature: 'database sessions', methods: databaseMethods })
  for (const type of ['email', 'webauthn'] as const) {
    if (providers.some(each => each.type === type)) {
      needs.push({ feature: `a provider of type ${type}`, methods: neededBy[type] })
    }
  }
  const { adapter } = options
  if (adapter && strategy === 'jwt' && providers.some(isOAuth)) {
    needs.push({ feature: 'a provider of type oauth or oidc', methods: neededBy.oauth })
  }
  return needs.flatMap(({ feature, methods }): AuthError[] => {
    if (!adapter) return [new MissingAdapter(`Set \`adapter\`: ${feature} needs a database.`)]
    const missing = methods.filter(method => typeof adapter[method] !== 'function')
    if (missing.length === 0) return []
    return [
      new MissingAdapterMethods(`The adapter lacks what ${feature} needs: ${missing.join(', ')}.`),
    ]
  })
}

function cookieFaults(tables: readonly CookieTable[]): AuthError[] {
  const faults = tables.flatMap(table =>
    Object.entries(table).flatMap(([key, cookie]) => cookieFault(key, cookie) ?? []),
  )
  return [...new Set(faults)].map(fault => new InvalidConfiguration(fault))
}

function isOAuth(
  provider: ProviderObject,
): provider is OAuth2Config<unknown> | OIDCConfig<unknown> {
  return provider.type === 'oauth' || provider.type === 'oidc'
}
