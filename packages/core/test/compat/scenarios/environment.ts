import type { AuthConfig, Env } from '@siteauth/core'
import { attempt, type Observation, observeOutcome, show } from '../observe.ts'
import { call, type Scenario } from '../scenario.ts'

/** What an environment makes of a configuration. */
function defaults(id: string, env: Env, given: Partial<AuthConfig> | object = {}): Scenario {
  return call(`setEnvDefaults/${id}`, async ({ core }, { logger }): Promise<Observation> => {
    const config = { providers: [], logger, ...given } as unknown as AuthConfig
    const outcome = await attempt(() => core.setEnvDefaults(env, config))
    const { basePath, secret, trustHost, redirectProxyUrl, providers } = config
    if ('thrown' in outcome) return observeOutcome(outcome)
    return {
      basePath: show(basePath),
      secret: show(secret),
      trustHost: show(trustHost),
      redirectProxyUrl: show(redirectProxyUrl),
      providers: show(providers),
    }
  })
}

/** The URL of the session endpoint, in some circumstances. */
function url(
  id: string,
  env: Env,
  basePath: string | undefined,
  headers: Record<string, string> = {},
  protocol = 'http',
): Scenario {
  return call(`createActionURL/${id}`, async ({ core }, { logger }) =>
    observeOutcome(
      await attempt(() =>
        core.createActionURL('session', protocol, new Headers(headers), env, {
          logger,
          ...(basePath !== undefined && { basePath }),
        }),
      ),
    ),
  )
}

const HOST = { host: 'app.example.com' }

const oauth = (config: object): object => ({
  id: 'my-id',
  name: 'My',
  type: 'oauth',
  authorization: 'https://oa.example.com/authorize',
  token: 'https://oa.example.com/token',
  userinfo: 'https://oa.example.com/me',
  options: config,
})

const email = (config: object): object => ({
  id: 'mail',
  name: 'Mail',
  type: 'email',
  options: config,
})

export const environmentScenarios: readonly Scenario[] = [
  defaults('nothing', {}),
  defaults('production', { NODE_ENV: 'production' }),
  defaults('secret', { AUTH_SECRET: 'a' }),
  defaults('empty secret', { AUTH_SECRET: '' }),
  defaults('all secrets', {
    AUTH_SECRET: 'plain',
    AUTH_SECRET_1: 'one',
    AUTH_SECRET_2: 'two',
    AUTH_SECRET_3: 'three',
    AUTH_SECRET_4: 'four',
  }),
  defaults('numbered secret only', { AUTH_SECRET_2: 'two' }),
  defaults('legacy secret', { NEXTAUTH_SECRET: 'legacy' }),
  defaults('secret configured', { AUTH_SECRET: 'env' }, { secret: 'own' }),
  defaults('empty secret configured', { AUTH_SECRET: 'env' }, { secret: '' }),
  defaults('no secrets configured', { AUTH_SECRET: 'env' }, { secret: [] }),
  defaults('URL', { AUTH_URL: 'https://x.example' }),
  defaults('URL with path', { AUTH_URL: 'https://x.example/api/auth' }),
  defaults('URL with slash at the end', { AUTH_URL: 'https://x.example/api/auth/' }),
  defaults('URL that is none', { AUTH_URL: 'nonsense' }),
  defaults('URL that is empty', { AUTH_URL: '' }),
  defaults(
    'URL without path, base path configured',
    { AUTH_URL: 'https://x.example' },
    { basePath: '/a' },
  ),
  defaults(
    'URL with path, base path configured',
    { AUTH_URL: 'https://x.example/b' },
    { basePath: '/a' },
  ),
  defaults(
    'URL with path, same base path configured',
    { AUTH_URL: 'https://x.example/a' },
    { basePath: '/a' },
  ),
  defaults('legacy URL', { NEXTAUTH_URL: 'https://x.example/api/auth' }),
  defaults('base path configured', {}, { basePath: '/a' }),
  defaults('empty base path configured', {}, { basePath: '' }),
  ...['true', 'false', '1', '0', '', 'yes', 'off'].flatMap(value => [
    defaults(`AUTH_TRUST_HOST=${value}`, { AUTH_TRUST_HOST: value }),
    defaults(`AUTH_TRUST_HOST=${value} in production`, {
      AUTH_TRUST_HOST: value,
      NODE_ENV: 'production',
    }),
  ]),
  defaults('trust configured', { AUTH_TRUST_HOST: 'true' }, { trustHost: false }),
  defaults('URL in production', { AUTH_URL: 'https://x.example/auth', NODE_ENV: 'production' }),
  defaults('Vercel', { VERCEL: '1', NODE_ENV: 'production' }),
  defaults('Cloudflare', { CF_PAGES: '1', NODE_ENV: 'production' }),
  defaults('empty URL on Vercel', { AUTH_URL: '', VERCEL: '1', NODE_ENV: 'production' }),
  defaults('redirect proxy', { AUTH_REDIRECT_PROXY_URL: 'https://p.example/auth' }),
  defaults(
    'redirect proxy configured',
    { AUTH_REDIRECT_PROXY_URL: 'https://p.example/auth' },
    {
      redirectProxyUrl: 'https://own.example/auth',
    },
  ),
  defaults(
    'provider as function',
    { AUTH_MY_ID_ID: 'i', AUTH_MY_ID_SECRET: 's' },
    { providers: [oauth] },
  ),
  defaults(
    'provider as object',
    { AUTH_MY_ID_ID: 'i', AUTH_MY_ID_SECRET: 's', AUTH_MY_ID_ISSUER: 'https://i.example' },
    {
      providers: [oauth({})],
    },
  ),
  defaults(
    'provider with options',
    { AUTH_MY_ID_ID: 'i' },
    { providers: [oauth({ clientId: 'own' })] },
  ),
  defaults(
    'provider with its own client id',
    { AUTH_MY_ID_ID: 'i' },
    {
      providers: [{ ...oauth({}), clientId: 'own' }],
    },
  ),
  defaults('provider without variables', {}, { providers: [oauth] }),
  defaults(
    'provider of another id',
    { AUTH_OTHER_ID: 'i', AUTH_MY_ID_ID: 'default' },
    {
      providers: [oauth({ id: 'other' })],
    },
  ),
  defaults('email provider', { AUTH_MAIL_KEY: 'k' }, { providers: [email] }),
  defaults('email provider as object', { AUTH_MAIL_KEY: 'k' }, { providers: [email({})] }),
  defaults(
    'provider that throws',
    {},
    {
      providers: [
        () => {
          throw new Error('needs options')
        },
      ],
    },
  ),

  url('host', {}, '/auth', HOST),
  url('host, no base path', {}, undefined, HOST),
  url('host, base path is the root', {}, '/', HOST),
  url('host, base path with slashes', {}, '/auth/', HOST),
  url('protocol with colon', {}, '/auth', HOST, 'https:'),
  url('no protocol', {}, '/auth', HOST, ''),
  url('forwarded', {}, '/auth', {
    ...HOST,
    'x-forwarded-host': 'p.example',
    'x-forwarded-proto': 'https',
  }),
  url('forwarded twice', {}, '/auth', {
    'x-forwarded-host': 'a.example, b.example',
    'x-forwarded-proto': 'https,http',
  }),
  url('no host at all', {}, '/auth'),
  url('URL', { AUTH_URL: 'https://x.example' }, '/auth', HOST),
  url('URL, no base path', { AUTH_URL: 'https://x.example' }, undefined, HOST),
  url('URL with path', { AUTH_URL: 'https://x.example/api/auth' }, undefined, HOST),
  url(
    'URL with path, same base path',
    { AUTH_URL: 'https://x.example/api/auth' },
    '/api/auth',
    HOST,
  ),
  url('URL with path, another base path', { AUTH_URL: 'https://x.example/b' }, '/a', HOST),
  url(
    'URL with a path that ends with the base path',
    { AUTH_URL: 'https://x.example/shop/auth' },
    '/auth',
    HOST,
  ),
  url('URL with path, base path is the root', { AUTH_URL: 'https://x.example/b' }, '/', HOST),
  url('URL with slash at the end', { AUTH_URL: 'https://x.example/auth/' }, '/auth', HOST),
  url('URL that is none', { AUTH_URL: 'nonsense' }, '/auth', HOST),
  url('URL that is empty', { AUTH_URL: '' }, '/auth', HOST),
  url('legacy URL', { NEXTAUTH_URL: 'https://x.example' }, '/auth', HOST),
  url(
    'both URLs',
    { AUTH_URL: 'https://a.example', NEXTAUTH_URL: 'https://b.example' },
    '/auth',
    HOST,
  ),
  url(
    'empty URL and legacy URL',
    { AUTH_URL: '', NEXTAUTH_URL: 'https://b.example' },
    '/auth',
    HOST,
  ),

  call('isAuthAction/all', ({ core }) => ({
    result: show(
      [
        'providers',
        'session',
        'csrf',
        'signin',
        'signout',
        'callback',
        'verify-request',
        'error',
        'webauthn-options',
        'SESSION',
        'constructor',
        '',
      ].map(core.isAuthAction),
    ),
  })),
  call('isDate/all', ({ adapters }) => ({
    result: show(
      [
        '2020-01-01T00:00:00.000Z',
        '2020-01-01T00:00Z',
        '2020-01-01T00:00:00+02:00',
        '2020-01-01',
        '2020-13-01T00:00:00Z',
        'x 2020-01-01T00:00:00Z',
        new Date(0),
        0,
        null,
      ].map(value => adapters.isDate(value as string)),
    ),
  })),
  call('Credentials/defaults', ({ Credentials }) => ({ result: show(Credentials({})) })),
  call('Credentials/options', ({ Credentials }) => ({
    result: show(
      Credentials({ id: 'x', name: 'X', credentials: { a: {} }, authorize: () => null }),
    ),
  })),
]
