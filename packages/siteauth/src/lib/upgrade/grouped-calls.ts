import type { NameTable } from './name-table.ts'

// The names until calls were grouped by their noun: `endOtherSessions` became `sessions.endOthers`. docs/decisions/056
// has the reasons.

const FRAMEWORKS = [
  'hono',
  'fastify',
  'nestjs',
  'sveltekit',
  'nuxt',
  'astro',
  'react-router',
  'tanstack-start',
  'solid-start',
]
const INSTANCES = ['core', 'express', 'next', ...FRAMEWORKS]
/** They took an object where the others took arguments. */
const OBJECT_FETCH = FRAMEWORKS.filter(name => name !== 'solid-start')

const CLIENTS = ['client', 'react', 'vue', 'svelte', 'solid', 'next']
const PASSWORD_ENTRIES = CLIENTS.map(name => `@siteauth/${name}/passwords`)
const SESSION_ENTRIES = CLIENTS.map(name => `@siteauth/${name}/sessions`)
const PASSWORD_TYPES = {
  PasswordLinkWish: 'PasswordLinkOptions',
  ChangedPassword: 'ChangePasswordOptions',
  RemovedPassword: 'RemovePasswordOptions',
}
/** In a page, the provider may have another id. */
const CLIENT_PASSWORD_TYPES = { ...PASSWORD_TYPES, ChosenPassword: 'ClientChoosePasswordOptions' }

const SIGN_UPS = { SignUp: 'NewSignUp', SignedUp: 'CreatedSignUp' }

const FETCH_ORDER = ['provider', 'url', 'init', 'wish']
const CURRENT = { current: 'currentPassword' }
const CHANGED = { current: 'currentPassword', password: 'newPassword' }
const LINK = { wish: 'purpose' }
const LINK_VALUES = { wish: { forgot: 'reset' } }
const UNLINK = { hasOtherWayIn: 'hasOtherSignInMethod' }
const TOKEN = { refused: 'rejectedToken', minValidity: 'minValiditySeconds' }

const LIMIT_RULE = {
  every: 'refillSeconds',
  longest: 'maxDelaySeconds',
  most: 'maxFailures',
  memory: 'forgetAfterSeconds',
}

const REDIRECTS =
  'It redirects now, as signIn does in your framework, instead of resolving with a URL: return what it resolves with, and redirect no more yourself.'

const INTERNAL =
  'It is internal now, and may change in any release. An integration of your own needs no more than createIntegration of @siteauth/core/integration.'

export const GROUPED_CALLS: NameTable = {
  title: 'before calls were grouped',
  modules: { '@siteauth/nuxt/h3': '@siteauth/nuxt/server' },
  exports: [
    {
      from: ['core/types', 'express', 'next'].map(entry => `@siteauth/${entry}`),
      names: {
        AccessTokenWish: 'AccessTokenOptions',
        UnlinkWish: 'UnlinkOptions',
        SeenSession: 'ExposedSession',
        ExposingSession: 'SessionWithExposed',
      },
    },
    {
      from: ['memory', 'mysql', 'postgres', 'redis', 'sqlite'].map(
        name => `@siteauth/adapters/${name}`,
      ),
      names: SIGN_UPS,
    },
    {
      from: ['core', 'express', 'next', 'sveltekit'].map(name => `@siteauth/${name}/adapters`),
      names: { ...SIGN_UPS, Ending: 'NewRevocation', Revocation: 'RevocationEntry' },
    },
    {
      from: ['@siteauth/core/passwords'],
      names: {
        Verdict: 'PasswordVerification',
        pwnedFile: 'pwnedPasswordsFile',
        Imported: 'BetterAuthImportResult',
        BetterAuthImport: 'BetterAuthImportOptions',
      },
    },
    {
      from: ['astro', 'nestjs', 'nuxt/server', 'solid-start', 'sveltekit', 'core/integration'].map(
        entry => `@siteauth/${entry}`,
      ),
      names: { GuardOptions: 'RequireSessionOptions' },
    },
    { from: ['@siteauth/core/types'], names: { Words: 'Messages' } },
    { from: ['@siteauth/nestjs'], names: { Redirection: 'NestRedirect' } },
    {
      from: ['client', 'react', 'svelte', 'solid', 'next/react'].map(entry => `@siteauth/${entry}`),
      names: { NotKnown: 'SessionLoading', Submitted: 'SubmitResult' },
    },
    {
      from: ['react', 'vue', 'svelte', 'solid', 'next'].map(name => `@siteauth/${name}/sessions`),
      names: { KnownSessions: 'SessionListState' },
    },
    {
      from: PASSWORD_ENTRIES,
      names: {
        ...CLIENT_PASSWORD_TYPES,
        PasswordFunctions: 'ClientPasswordCalls',
        Submitted: 'SubmitResult',
      },
    },
    { from: SESSION_ENTRIES, names: { SessionCalls: 'ClientSessionCalls' } },
    {
      from: ['@siteauth/client/integration', '@siteauth/vue'],
      names: { Submitted: 'SubmitResult' },
    },
    {
      from: ['@siteauth/client/integration'],
      to: '@siteauth/client/passwords',
      names: CLIENT_PASSWORD_TYPES,
    },
    {
      from: ['@siteauth/client/integration'],
      names: { PasswordFunctions: 'ClientPasswordCalls' },
    },
    {
      from: ['@siteauth/client/integration'],
      to: '@siteauth/client/sessions',
      names: { SessionCalls: 'ClientSessionCalls' },
    },
    {
      from: ['@siteauth/core'],
      to: '@siteauth/core/types',
      names: { ...PASSWORD_TYPES, ChosenPassword: 'ChoosePasswordOptions' },
    },
    {
      from: ['@siteauth/core'],
      to: '@siteauth/core/integration',
      names: { SignOutWish: 'SignOutOptions', PasswordCalls: 'PasswordCalls' },
    },
    {
      from: ['@siteauth/core/integration'],
      to: '@siteauth/core',
      names: { customFetch: 'customFetch', Platform: 'Platform' },
    },
    {
      from: ['@siteauth/core/integration'],
      names: {
        bind: 'createIntegration',
        Host: 'FrameworkAdapter',
        Bound: 'Integration',
        BoundCalls: 'AuthCalls',
        BoundConfig: 'IntegrationConfig',
        BoundPasswords: 'PasswordCalls',
        Guarded: 'GuardResult',
        FrontGuarded: 'MiddlewareGuardResult',
        Refusal: 'GuardDenial',
        AnswerChange: 'ResponseChange',
        FrontGuardOptions: 'RequireSessionMiddlewareOptions',
        WireAnswer: 'WireResponse',
      },
    },
    {
      from: ['@siteauth/core/node'],
      names: { changeAnswer: 'changeServerResponse', writeAnswer: 'writeServerResponse' },
    },
    {
      from: ['@siteauth/testing/next'],
      names: { StandInAnswers: 'StandInReplacements' },
    },
    {
      from: ['@siteauth/core/errors'],
      names: { AccessTokenFault: 'AccessTokenErrorCode' },
    },
    {
      from: ['@siteauth/core/endpoints'],
      to: '@siteauth/core/integration',
      names: { SentRequest: 'SentRequest', WireAnswer: 'WireResponse' },
    },
  ],
  removed: [
    {
      from: ['@siteauth/core'],
      names: [
        'AccessTokenResult',
        'CookieMeans',
        'EndedSessions',
        'ProviderResponse',
        'Redirection',
        'RenewedSession',
        'SignInWish',
      ],
      advice:
        'It is gone: calls resolve with their value alone, and auth.applyTo or auth.takeSetCookies has the cookies.',
    },
    {
      from: ['@siteauth/express'],
      names: [
        'AskForPasswordOptions',
        'ChangePasswordOptions',
        'ChoosePasswordOptions',
        'RemovePasswordOptions',
      ],
      advice: 'It is gone: @siteauth/core/types has the options of passwords.',
    },
    {
      from: ['@siteauth/core/integration'],
      names: [
        'AccessDecision',
        'AccessRule',
        'ArrivedSession',
        'Awaitable',
        'BoundProviderRequest',
        'CheckedSession',
        'ConfigLoader',
        'Connection',
        'Denial',
        'DeniedAnswer',
        'DeniedRequest',
        'DenyOptions',
        'ExceptNames',
        'Exemptions',
        'FaultyConfig',
        'GuardedRequest',
        'HostTrust',
        'OpenLimiter',
        'OriginAnswer',
        'PageConfig',
        'Paths',
        'PendingChanges',
        'ReadingScheme',
        'RequestAddress',
        'ResolvedConfig',
        'SchemeConfig',
        'SentCookie',
        'SessionConfig',
        'SetCookie',
        'Target',
        'Whereabouts',
        'callOrMiddleware',
        'checkSession',
        'decideAccess',
        'denyRequest',
        'findSession',
        'hasMalformedHost',
        'isAllowed',
        'isLater',
        'isSecure',
        'limiterInMemory',
        'loadConfig',
        'malformedHost',
        'pageUrl',
        'parsePath',
        'pathsOf',
        'readCookies',
        'readExemptions',
        'readTrustedCookies',
        'resolveOrigin',
        'schemeFor',
        'schemeOf',
        'senderOf',
        'signInWish',
        'toDenial',
        'whereaboutsOf',
      ],
      advice: INTERNAL,
    },
    {
      from: ['@siteauth/core/cookies'],
      names: [
        'NodeAnswer',
        'PRIVATE',
        'changedCookies',
        'cookiesAfter',
        'dropTargeted',
        'isForOne',
        'isForSomeCaches',
        'preventCaching',
        'serializeCookie',
      ],
      advice: INTERNAL,
    },
    {
      from: ['@siteauth/core/endpoints'],
      names: [
        'CallingRequest',
        'ChangedPassword',
        'ChosenPassword',
        'Handled',
        'Incoming',
        'Outgoing',
        'PasswordLinkWish',
        'RedirectAnswer',
        'RemovedPassword',
        'Sender',
        'SentHeaders',
        'SignInWish',
        'SignOutWish',
        'answerFor',
        'askForPassword',
        'atPaths',
        'beginsOnServer',
        'changePassword',
        'choosePassword',
        'demandConfig',
        'endOtherSessions',
        'endSession',
        'endUser',
        'getAccessToken',
        'handle',
        'keepingCookies',
        'listAccounts',
        'listProviders',
        'listSessions',
        'providerFetch',
        'publicPath',
        'receiveCall',
        'refreshAhead',
        'removePassword',
        'resolveConfig',
        'respond',
        'rotate',
        'signIn',
        'signOut',
        'unlinkAccount',
        'update',
      ],
      advice: INTERNAL,
    },
    {
      from: ['@siteauth/core/node'],
      names: ['NodeHeaders', 'addCookies', 'addCookiesLast', 'isTooLate'],
      advice: INTERNAL,
    },
  ],
  returns: {
    '@siteauth/core#createAuth': 'core',
    '@siteauth/express#SiteAuth': 'express',
    '@siteauth/next#default': 'next',
    '@siteauth/next#SiteAuth': 'next',
    '@siteauth/next#NextAuth': 'next',
    '@siteauth/hono#SiteAuth': 'hono',
    '@siteauth/hono#default': 'hono',
    '@siteauth/fastify#SiteAuth': 'fastify',
    '@siteauth/fastify#default': 'fastify',
    '@siteauth/sveltekit#SiteAuth': 'sveltekit',
    '@siteauth/sveltekit#SvelteKitAuth': 'sveltekit',
    '@siteauth/nuxt/h3#SiteAuth': 'nuxt',
    '@siteauth/nuxt/h3#default': 'nuxt',
    '@siteauth/nuxt/server#SiteAuth': 'nuxt',
    '@siteauth/nuxt/server#default': 'nuxt',
    '@siteauth/astro#SiteAuth': 'astro',
    '@siteauth/astro#default': 'astro',
    '@siteauth/react-router#SiteAuth': 'react-router',
    '@siteauth/react-router#default': 'react-router',
    '@siteauth/tanstack-start#SiteAuth': 'tanstack-start',
    '@siteauth/tanstack-start#default': 'tanstack-start',
    '@siteauth/solid-start#SiteAuth': 'solid-start',
    '@siteauth/solid-start#SolidAuth': 'solid-start',
    ...byEntry(PASSWORD_ENTRIES, 'usePassword', 'password form'),
    ...byEntry(PASSWORD_ENTRIES, 'createPasswordsClient', 'passwords client'),
    ...byEntry(SESSION_ENTRIES, 'createSessionsClient', 'sessions client'),
    'passwords client#usePassword': 'password form',
    ...Object.fromEntries(INSTANCES.map(name => [`${name}#unlinkAccount`, 'unlinked account'])),
    '@siteauth/express#unlinkAccount': 'unlinked account',
    '@siteauth/testing/provider#createFakeProvider': 'fake provider',
    '@siteauth/testing/provider#startFakeProvider': 'fake provider',
    '@siteauth/core/integration#bind': 'integration',
    '@siteauth/core/integration#createIntegration': 'integration',
    'integration#guard': 'guard result',
    '@siteauth/core/limits#planFor': 'limit plan',
    '@siteauth/core/limits#createMemoryLimiter': 'limiter',
  },
  types: {
    '@siteauth/core#AuthInstance': 'core',
    '@siteauth/express#AuthInstance': 'express',
    '@siteauth/next#SiteAuthResult': 'next',
    '@siteauth/next#NextAuthResult': 'next',
    '@siteauth/hono#HonoAuth': 'hono',
    '@siteauth/fastify#FastifyAuth': 'fastify',
    '@siteauth/nestjs#SiteAuthService': 'nestjs',
    '@siteauth/sveltekit#SvelteKitAuthResult': 'sveltekit',
    '@siteauth/nuxt/h3#H3Auth': 'nuxt',
    '@siteauth/nuxt/server#H3Auth': 'nuxt',
    '@siteauth/astro#AstroAuth': 'astro',
    '@siteauth/react-router#ReactRouterAuth': 'react-router',
    '@siteauth/tanstack-start#StartAuth': 'tanstack-start',
    '@siteauth/solid-start#SolidAuthResult': 'solid-start',
    '@siteauth/core#AuthConfig': 'config',
    '@siteauth/express#ExpressAuthConfig': 'config',
    '@siteauth/express#ServerAuthConfig': 'config',
    '@siteauth/next#NextAuthConfig': 'config',
    '@siteauth/next#SiteAuthConfig': 'config',
    '@siteauth/hono#HonoAuthConfig': 'config',
    '@siteauth/fastify#FastifyAuthConfig': 'config',
    '@siteauth/sveltekit#SvelteKitAuthConfig': 'config',
    '@siteauth/nuxt/h3#H3AuthConfig': 'config',
    '@siteauth/nuxt/server#H3AuthConfig': 'config',
    '@siteauth/astro#AstroAuthConfig': 'config',
    '@siteauth/react-router#ReactRouterAuthConfig': 'config',
    '@siteauth/tanstack-start#StartAuthConfig': 'config',
    '@siteauth/solid-start#SolidAuthConfig': 'config',
    '@siteauth/core/passwords#PasswordRules': 'rules',
    '@siteauth/core/passwords#PasswordHashing': 'hashing',
    ...Object.fromEntries(
      ['OAuthConfig', 'OIDCConfig', 'OAuth2Config', 'OAuthProviderConfig'].map(name => [
        `@siteauth/core/providers#${name}`,
        'provider',
      ]),
    ),
    '@siteauth/core/types#UnlinkedAccount': 'unlinked account',
    '@siteauth/express#UnlinkedAccount': 'unlinked account',
    '@siteauth/next#UnlinkedAccount': 'unlinked account',
    '@siteauth/core/adapters#LimitRule': 'limit rule',
    '@siteauth/testing/provider#FakeProvider': 'fake provider',
    '@siteauth/core/integration#Bound': 'integration',
    '@siteauth/core/integration#Integration': 'integration',
    '@siteauth/core/integration#Host': 'framework adapter',
    '@siteauth/core/integration#FrameworkAdapter': 'framework adapter',
    '@siteauth/core/limits#LimitRule': 'limit rule',
    '@siteauth/core/limits#LimitPlan': 'limit plan',
    ...byEntry(PASSWORD_ENTRIES, 'PasswordForm', 'password form'),
  },
  // Nuxt imports what these files export into all files of the server.
  globals: { nuxt: /^server\/utils\// },
  members: [
    { of: INSTANCES, from: 'endUser', to: 'users.endSessions' },
    { of: INSTANCES, from: 'listSessions', to: 'sessions.list' },
    { of: INSTANCES, from: 'listAccounts', to: 'accounts.list' },
    { of: ['express', 'next', ...FRAMEWORKS], from: 'rotate', to: 'sessions.rotate' },
    { of: ['express', 'next', ...FRAMEWORKS], from: 'endSession', to: 'sessions.end' },
    { of: ['express', 'next', ...FRAMEWORKS], from: 'endOtherSessions', to: 'sessions.endOthers' },
    { of: INSTANCES, from: 'unlinkAccount', to: 'accounts.unlink', options: UNLINK },
    {
      of: ['express', 'next', ...FRAMEWORKS],
      from: 'getAccessToken',
      to: 'accounts.getAccessToken',
      options: TOKEN,
    },
    { of: ['next', 'solid-start'], from: 'providerFetch', to: 'accounts.fetch', options: TOKEN },
    {
      of: OBJECT_FETCH,
      from: 'providerFetch',
      to: 'accounts.fetch',
      options: TOKEN,
      change: { kind: 'spread', index: 1, order: FETCH_ORDER },
    },
    {
      of: ['next'],
      from: 'passwords.ask',
      to: 'passwords.sendLink',
      options: LINK,
      values: LINK_VALUES,
    },
    {
      of: FRAMEWORKS,
      from: 'passwords.ask',
      to: 'passwords.sendLink',
      options: LINK,
      values: LINK_VALUES,
      remark: REDIRECTS,
    },
    { of: INSTANCES, from: 'passwords.change', to: 'passwords.change', options: CHANGED },
    { of: INSTANCES, from: 'passwords.remove', to: 'passwords.remove', options: CURRENT },

    // createAuth: calls resolved with an object that had the cookies.
    {
      of: ['core'],
      from: 'signIn',
      to: 'signIn',
      change: { kind: 'sign-in request', index: 1 },
    },
    { of: ['core'], from: 'signIn', to: 'signIn', change: { kind: 'result', member: 'url' } },
    { of: ['core'], from: 'signOut', to: 'signOut', change: { kind: 'result', member: 'url' } },
    { of: ['core'], from: 'update', to: 'update', change: { kind: 'result', member: 'session' } },
    {
      of: ['core'],
      from: 'renewSession',
      to: 'getSession',
      change: { kind: 'result', member: 'session' },
    },
    {
      of: ['core'],
      from: 'rotate',
      to: 'sessions.rotate',
      change: { kind: 'result', member: 'session' },
    },
    {
      of: ['core'],
      from: 'endSession',
      to: 'sessions.end',
      change: { kind: 'result', member: 'ended' },
    },
    {
      of: ['core'],
      from: 'endOtherSessions',
      to: 'sessions.endOthers',
      change: { kind: 'result', member: 'ended' },
    },
    {
      of: ['core'],
      from: 'getAccessToken',
      to: 'accounts.getAccessToken',
      options: TOKEN,
      change: { kind: 'result', member: null },
    },
    {
      of: ['core'],
      from: 'providerFetch',
      to: 'accounts.fetch',
      options: TOKEN,
      change: { kind: 'result', member: 'response' },
    },
    {
      of: ['core'],
      from: 'passwords.ask',
      to: 'passwords.sendLink',
      options: LINK,
      values: LINK_VALUES,
      change: { kind: 'result', member: 'url' },
    },
    ...['passwords.choose', 'passwords.change', 'passwords.remove'].map(name => ({
      of: ['core'],
      from: name,
      to: name,
      change: { kind: 'result', member: 'url' } as const,
    })),
    ...['passwords.choose', 'passwords.change', 'passwords.remove'].map(name => ({
      of: FRAMEWORKS,
      from: name,
      to: name,
      remark: REDIRECTS,
    })),

    // Guards and middleware.
    { of: ['hono'], from: 'session', to: 'sessionMiddleware', change: { kind: 'value' } },
    {
      of: ['solid-start'],
      from: 'middleware',
      to: 'middleware',
      change: { kind: 'value unless options', otherwise: 'middlewareWith' },
    },
    { of: ['react-router', 'tanstack-start'], from: 'demandSession', to: 'requireSession' },
    {
      of: ['react-router', 'tanstack-start'],
      from: 'requireSession',
      to: 'requireSession',
      change: { kind: 'add option', name: 'except', value: '[]' },
    },

    // Integrations of other frameworks.
    { of: ['integration'], from: 'answersItself', to: 'handles' },
    { of: ['integration'], from: 'guardInFront', to: 'createGuard' },
    { of: ['integration'], from: 'session', to: 'calls.getSession' },
    { of: ['guard result'], from: 'refusal', to: 'denial' },

    // What calls return, and what is passed to code of the application.
    { of: ['unlinked account'], from: 'why', to: 'reason' },
    {
      of: ['fake provider'],
      from: 'fail',
      to: 'fail',
      options: { delay: 'delayMilliseconds' },
    },
    { of: ['limit plan'], from: 'tolerance', to: 'toleranceMilliseconds' },
    { of: ['limit plan'], from: 'memory', to: 'forgetAfterMilliseconds' },
    ...Object.entries(LIMIT_RULE).map(([from, to]) => ({ of: ['limit rule'], from, to })),

    // In the browser.
    ...(
      [
        ['askForPassword', 'sendLink', { options: LINK, values: LINK_VALUES }],
        ['choosePassword', 'choose', {}],
        ['changePassword', 'change', { options: CHANGED }],
        ['removePassword', 'remove', { options: CURRENT }],
      ] as const
    ).flatMap(([from, to, options]) => [
      { of: ['password form'], from, to, ...options },
      { of: ['passwords client', ...PASSWORD_ENTRIES], from, to: `passwords.${to}`, ...options },
    ]),
    ...(
      [
        ['listSessions', 'list'],
        ['endSession', 'end'],
        ['endOtherSessions', 'endOthers'],
      ] as const
    ).map(([from, to]) => ({
      of: ['sessions client', ...SESSION_ENTRIES],
      from,
      to: `sessions.${to}`,
    })),
  ],
  functions: [
    ...(
      [
        ['signIn', 'signIn'],
        ['signOut', 'signOut'],
        ['update', 'update'],
        ['rotate', 'sessions.rotate'],
        ['endSession', 'sessions.end'],
        ['endOtherSessions', 'sessions.endOthers'],
        ['choosePassword', 'passwords.choose'],
      ] as const
    ).map(([name, to]) => ({ ...express(name, to, 2), dropped: [1] })),
    {
      ...express('askForPassword', 'passwords.sendLink', 2),
      dropped: [1],
      options: LINK,
      values: LINK_VALUES,
    },
    { ...express('changePassword', 'passwords.change', 2), dropped: [1], options: CHANGED },
    { ...express('removePassword', 'passwords.remove', 2), dropped: [1], options: CURRENT },
    { ...express('getAccessToken', 'accounts.getAccessToken', 2), dropped: [1], options: TOKEN },
    { ...express('unlinkAccount', 'accounts.unlink', 2), dropped: [1], options: UNLINK },
    {
      ...express('providerFetch', 'accounts.fetch', 2),
      dropped: [1],
      options: TOKEN,
      spread: { index: 1, order: FETCH_ORDER },
    },
    express('listProviders', 'listProviders', 1),
    express('listSessions', 'sessions.list', 1),
    express('listAccounts', 'accounts.list', 1),
    express('endUser', 'users.endSessions', 1),
    express('requireSession', 'requireSession', 0),
    { ...express('session', 'sessionMiddleware', 0), isValue: true },
    // `getSession(req, res, config)`: the request has the response.
    { ...express('getSession', null, 2), dropped: [1] },
  ],
  options: [
    {
      of: 'config',
      path: 'session.revocation.check',
      values: { view: 'always', renewal: 'on-renewal' },
    },
    { of: 'config', path: 'session.revocation.pollEvery', to: 'pollSeconds' },
    { of: 'config', path: 'session.revocation.maxStale', to: 'maxStaleSeconds' },
    { of: 'config', path: 'session.revocation.whenStale', values: { unknown: 'reject' } },
    { of: 'config', path: 'account.sealTokens', to: 'encryptTokens' },
    { of: 'config', path: 'account.keepTokens', to: 'storeTokensInCookie' },
    { of: 'config', path: 'account.memo', to: 'tokenCacheSeconds' },
    ...Object.entries(LIMIT_RULE).map(([path, to]) => ({ of: 'limit rule', path, to })),
    ...['network', 'account', 'account.*'].flatMap(place =>
      Object.entries(LIMIT_RULE).map(([from, to]) => ({
        of: 'config',
        path: `limits.rules.*.${place}.${from}`,
        to,
      })),
    ),
    ...Object.entries({
      lastWayIn: 'onlySignInMethod',
      tryAnotherWay: 'tryAnotherMethod',
      mailKnown: 'mailExistingUser',
      mailUnknown: 'mailNoUser',
      codeOver: 'codeExpired',
      passwordShort: 'passwordTooShort',
      passwordLong: 'passwordTooLong',
      passwordCommon: 'passwordTooCommon',
    }).map(([name, to]) => ({ of: 'config', path: `translations.*.${name}`, to })),
    { of: 'config', path: 'providers.*.style.mark', to: 'logoPath' },
    { of: 'provider', path: 'style.mark', to: 'logoPath' },
    { of: 'config', path: 'jwt.cacheSize', to: 'cacheBytes' },
    { of: 'adapter', path: 'timeout', to: 'timeoutMilliseconds' },
    { of: 'fake provider options', path: 'tokenLifetime', to: 'tokenLifetimeSeconds' },
    { of: 'framework adapter', path: 'answer', to: 'respond' },
    { of: 'config', path: 'callbacks.userHasOtherWaysIn', to: 'userHasOtherSignInMethods' },
    { of: 'stand-in options', path: 'answers', to: 'replacements' },
    { of: 'password', path: 'rules.least', to: 'minLength' },
    { of: 'password', path: 'rules.most', to: 'maxLength' },
    { of: 'password', path: 'rules.words', to: 'forbiddenWords' },
    { of: 'password', path: 'hashing.atOnce', to: 'concurrency' },
    { of: 'hashing', path: 'atOnce', to: 'concurrency' },
    { of: 'rules', path: 'least', to: 'minLength' },
    { of: 'rules', path: 'most', to: 'maxLength' },
    { of: 'rules', path: 'words', to: 'forbiddenWords' },
  ],
  optionsOf: {
    ...Object.fromEntries(
      [
        'core#createAuth',
        'core#defineConfig',
        'express#SiteAuth',
        'express#ServerAuth',
        'express#ExpressAuth',
        'express#defineConfig',
        'next#default',
        'next#SiteAuth',
        'next#NextAuth',
        'next#defineConfig',
        'hono#SiteAuth',
        'hono#default',
        'hono#defineConfig',
        'fastify#SiteAuth',
        'fastify#default',
        'fastify#defineConfig',
        'nestjs#SiteAuthModule.forRoot',
        'nestjs#defineConfig',
        'sveltekit#SiteAuth',
        'sveltekit#SvelteKitAuth',
        'sveltekit#defineConfig',
        'nuxt/h3#SiteAuth',
        'nuxt/h3#default',
        'nuxt/h3#defineConfig',
        'nuxt/server#SiteAuth',
        'nuxt/server#default',
        'nuxt/server#defineConfig',
        'astro#SiteAuth',
        'astro#default',
        'astro#defineConfig',
        'react-router#SiteAuth',
        'react-router#default',
        'react-router#defineConfig',
        'tanstack-start#SiteAuth',
        'tanstack-start#default',
        'tanstack-start#defineConfig',
        'solid-start#SiteAuth',
        'solid-start#SolidAuth',
        'solid-start#defineConfig',
      ].map(name => [`@siteauth/${name}`, { of: 'config', argument: 0 }]),
    ),
    '@siteauth/core#Auth': { of: 'config', argument: 1 },
    ...Object.fromEntries(
      ['postgres#Postgres', 'mysql#Mysql', 'sqlite#Sqlite', 'redis#Redis'].map(name => [
        `@siteauth/adapters/${name}Adapter`,
        { of: 'adapter', argument: 0 },
      ]),
    ),
    '@siteauth/testing/next#createAuthStandIn': { of: 'stand-in options', argument: 0 },
    '@siteauth/testing/provider#createFakeProvider': { of: 'fake provider options', argument: 0 },
    '@siteauth/testing/provider#startFakeProvider': { of: 'fake provider options', argument: 0 },
    '@siteauth/core/integration#bind': { of: 'framework adapter', argument: 0 },
    '@siteauth/core/integration#createIntegration': { of: 'framework adapter', argument: 0 },
    '@siteauth/core/limits#planFor': { of: 'limit rule', argument: 0 },
    'limiter#take': { of: 'limit rule', argument: 1 },
    '@siteauth/core/providers/password#default': { of: 'password', argument: 0 },
    '@siteauth/next/providers/password#default': { of: 'password', argument: 0 },
    '@siteauth/express/providers/password#default': { of: 'password', argument: 0 },
  },
  codes: [
    {
      within: /\bAccessTokenError\b/,
      operand: 'code',
      values: {
        signed_out: 'not_signed_in',
        several_accounts: 'ambiguous_account',
        not_kept: 'tokens_not_stored',
        cannot_store: 'store_read_only',
      },
    },
    {
      within: /\bPasswordRefused\b|['"]@siteauth\/\w+\/passwords['"]/,
      operand: 'code',
      values: {
        short: 'too_short',
        long: 'too_long',
        common: 'too_common',
        wrong: 'wrong_password',
        last: 'only_sign_in_method',
      },
    },
    {
      within:
        /\bEmailCodeError\b|\bsignIn\.attempt\b|['"]@siteauth\/(?:client|react|vue|svelte|solid|next\/react|sveltekit\/client)['"]/,
      operand: 'code',
      values: { wrong: 'wrong_code', over: 'expired' },
    },
    {
      within: /\bunlinkAccount\b/,
      operand: 'why',
      values: { last_way_in: 'only_sign_in_method' },
    },
    {
      within: /\bsendPasswordMail\b/,
      operand: 'reason',
      values: { known: 'existing-user', unknown: 'no-user' },
    },
  ],
  remarks: [
    {
      pattern:
        /\bcode\s*[=!]==?\s*['"](?:short|long|common|wrong|last|over|signed_out|several_accounts|not_kept|cannot_store)['"]/,
      within: /@siteauth\/|PasswordRefused|EmailCodeError|AccessTokenError/,
      what: 'Codes of errors have other names: see node_modules/@siteauth/core/dist/errors.md.',
    },
    {
      pattern: /\bname=["']current["']/,
      within: /password/i,
      what: 'The field of a form for the current password is called currentPassword now, and that for the new one newPassword.',
    },
    {
      pattern: /\bname=["']wish["']/,
      within: /password/i,
      what: 'The field is called purpose now, with sign-up or reset.',
    },
    {
      pattern: /\bcanSetCookies\b/,
      within: /@siteauth\//,
      what: 'It is gone: after auth.applyTo or auth.takeSetCookies, no token is refreshed for the request.',
    },
    {
      pattern: /\bcreateAuthStandIn\(\{[^}]*\b(?:answers|replacements)\b/,
      within: /@siteauth\/testing/,
      what: 'Replacements of grouped calls are in groups: { sessions: { list: … } }. Their names in `calls` are too: sessions.list.',
    },
    {
      pattern: /\bdenial\??\.answer\b/,
      within: /@siteauth\/core\/integration/,
      what: 'The response of a guard that denies a request is called denial.response now.',
    },
    {
      pattern: /\bisServerFault\b/,
      within: /\bEmailSignInError\b/,
      what: 'The member of an EmailSignInError is called isServerError now.',
    },
    {
      pattern: /\bchange\.answer\b/,
      within: /@siteauth\/testing/,
      what: 'The function that responds in place of the fake provider is called change.respond now.',
    },
    {
      pattern: /\brequireAttestation: true\b/,
      within: /@siteauth\//,
      what: 'It takes the trust anchors now, as its type says.',
    },
    {
      pattern: /\berror\.setCookies\b/,
      within: /@siteauth\//,
      what: 'It is gone: auth.takeSetCookies(request) has the cookies after an error as well.',
    },
  ],
}

/** The same name of several entries. */
function byEntry(entries: readonly string[], name: string, of: string) {
  return Object.fromEntries(entries.map(entry => [`${entry}#${name}`, of]))
}

function express(name: string, to: string | null, config: number) {
  return { from: '@siteauth/express', name, to, config, instance: 'SiteAuth' }
}
