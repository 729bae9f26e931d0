import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type CatalogueRow, ROWS } from '../../test/catalogue.rows.ts'
import type { Profile } from '../lib/base/user.ts'
import { buildAccount } from '../lib/oauth/profile/build-account.ts'
import { resolveOAuthProvider } from '../lib/oauth/provider/resolve-provider.ts'
import { mergeOptions } from '../lib/providers/merge-options.ts'
import type { OAuthConfig } from '../lib/providers/oauth.ts'

type Config = Record<string, unknown>
type ProviderFunction = (config?: Config) => OAuthConfig<unknown>

// Written elsewhere, because they do not speak OAuth.
const OTHER_KINDS = [
  'password',
  'credentials',
  'email',
  'forwardemail',
  'loops',
  'mailgun',
  'nodemailer',
  'passkey',
  'postmark',
  'resend',
  'sendgrid',
  'webauthn',
]

describe.each(ROWS)('$module', row => {
  it('is imported by its documented name and is the provider that the row describes', async () => {
    const provider = await load(row.module)
    const made = merged(provider, clientOf(row))
    expect(made).toMatchObject({ id: row.id, name: row.name, type: row.type, clientId: 'ID' })
    expect(factsOf(made)).toEqual(expectedFacts(row))
  })

  it('sends people where the provider documents', async () => {
    const made = merged(await load(row.module), clientOf(row))
    expect(authorizationOf(made)).toBe(row.authorization)
  })

  it('is complete: the engine finds nothing missing', async () => {
    const made = merged(await load(row.module), clientOf(row))
    expect(resolveOAuthProvider(made as OAuthConfig<Profile>)).toMatchObject({ id: row.id })
  })

  it('makes a user of a profile', async () => {
    const made = merged(await load(row.module), clientOf(row))
    expect(await made.profile?.(row.profile, {})).toEqual(row.user)
  })

  it('can be used bare, and called with nothing or with values that are not set', async () => {
    const provider = await load(row.module)
    const unset = { clientId: undefined, clientSecret: undefined, issuer: undefined }
    for (const config of [undefined, {}, unset]) {
      expect(provider(config)).toMatchObject({ id: row.id, name: row.name, type: row.type })
    }
  })

  it('says nothing at all rather than half a URL where an option is missing', async () => {
    const { options: _, ...bare } = (await load(row.module))()
    expect(JSON.stringify(bare)).not.toMatch(/undefined|null\/|\{[\w.]+\}/)
  })

  it('does not change its config, and keeps it under `options`', async () => {
    const provider = await load(row.module)
    const config = deepFreeze({ ...clientOf(row), id: 'renamed' })
    expect(provider(config).options).toMatchObject({ clientId: 'ID', id: 'renamed' })
    expect(merged(provider, config).id).toBe('renamed')
  })

  it('lets the application decide', async () => {
    const own = {
      authorization: { params: { scope: 'own' } },
      checks: ['none'],
      profile: () => ({}),
    }
    const made = merged(await load(row.module), { ...clientOf(row), ...own })
    expect(authorizationOf(made)).toContain('scope=own')
    expect(made).toMatchObject({ checks: ['none'], profile: own.profile })
  })
})

describe.each(ROWS.filter(({ user }) => user['email']))('an address from $module', row => {
  const { proof = { at: 'email_verified', yes: true, no: [false, 'false', 0, 1, null] } } = row

  if (proof === 'never') {
    it('is never proven, whatever the profile says', async () => {
      for (const word of [null, true, false]) {
        const profile = { ...row.profile, email_verified: word, verified: word }
        expect(await isProven(row, profile)).toBe(false)
      }
    })
  } else {
    it(`is proven where ${proof.at} says so`, async () => {
      expect(await isProven(row, withMember(row.profile, proof.at, proof.yes))).toBe(true)
    })

    it.each([undefined, ...proof.no])(`is not proven where ${proof.at} is %j`, async no => {
      expect(await isProven(row, withMember(row.profile, proof.at, no))).toBe(false)
    })

    it('is not proven if the application takes it from elsewhere', async () => {
      const profile = withMember(row.profile, proof.at, proof.yes)
      const own = { profile: () => ({ id: '1', email: 'mallory@example.test' }) }
      expect(await isProven(row, profile, own)).toBe(false)
    })
  }
})

it('names a source wherever a provider says what proves an address', () => {
  const folders = [import.meta.dirname, join(import.meta.dirname, '../lib/providers')]
  const sources = folders.flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.ts') && !/\.test\.ts$|^(define|oauth)\.ts$/.test(file))
      .map(file => ({ file, lines: readFileSync(join(folder, file), 'utf8').split('\n') })),
  )
  const said = sources.flatMap(({ file, lines }) =>
    lines.flatMap((line, at) =>
      /^\s+emailVerified: /.test(line) ? [{ file, above: lines[at - 1] }] : [],
    ),
  )
  expect(said.length).toBeGreaterThan(10)
  for (const { file, above } of said) expect(above, file).toMatch(/^\s+\/\/ https:\/\//)
})

it("does not take the word of a GitLab of one's own", async () => {
  const row = ROWS.find(({ module }) => module === 'gitlab') as CatalogueRow
  const baseUrl = 'https://git.example.com'
  expect(await isProven(row, row.profile, { baseUrl })).toBe(false)
  const endpoint = { userinfo: `${baseUrl}/api/v4/user` }
  expect(await isProven(row, row.profile, endpoint)).toBe(false)
  expect(await isProven(row, row.profile, { baseUrl: 'https://gitlab.com/' })).toBe(true)
})

it('does not take an address of Kakao that is not valid any more', async () => {
  const row = ROWS.find(({ module }) => module === 'kakao') as CatalogueRow
  const profile = withMember(row.profile, 'kakao_account.is_email_valid', false)
  expect(await isProven(row, profile)).toBe(false)
})

it('has one file per row, and one row per file', () => {
  const files = readdirSync(import.meta.dirname)
    .filter(file => /^.+(?<!\.test)\.ts$/.test(file))
    .map(file => file.replace(/\.ts$/, ''))
    .filter(file => !OTHER_KINDS.includes(file))
  expect(files.sort()).toEqual(ROWS.map(({ module }) => module).sort())
})

it('gives every provider an id of its own', () => {
  const ids = ROWS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

async function load(module: string): Promise<ProviderFunction> {
  const { default: provider } = await import(`@siteauth/core/providers/${module}`)
  return provider
}

function clientOf({ config }: CatalogueRow): Config {
  return { clientId: 'ID', clientSecret: 'SECRET', ...config }
}

/** A provider with the application's options laid over it, as the engine does it. */
function merged(provider: ProviderFunction, config: Config): OAuthConfig<unknown> {
  const { options, ...defaults } = provider(config)
  return mergeOptions(defaults as OAuthConfig<unknown>, options)
}

/** Whether the engine takes the address of this profile as proven. */
async function isProven(row: CatalogueRow, profile: Profile, options: Config = {}) {
  const made = merged(await load(row.module), { ...clientOf(row), ...options })
  const provider = resolveOAuthProvider(made as OAuthConfig<Profile>)
  if (provider instanceof Error) throw provider
  return (await buildAccount(provider, profile, {})).isEmailProven
}

/** A copy with another value at a path; without the member, if it is undefined. */
function withMember(profile: Config, path: string, value: unknown): Config {
  const copy = structuredClone(profile)
  const keys = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const last = keys.pop() ?? ''
  const parent = keys.reduce((at, key) => at[key] as Config, copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

function authorizationOf({ authorization, clientIdParam, clientId }: OAuthConfig<unknown>): string {
  const { url, params, fragment } = typeof authorization === 'object' ? authorization : {}
  const query = Object.entries(params ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .sort()
  return `${url ?? 'discovered'}?${[`${clientIdParam ?? 'client_id'}=${clientId}`, ...query].join('&')}${fragment ? `#${fragment}` : ''}`
}

function urlOf(endpoint: OAuthConfig<unknown>['token' | 'userinfo']): string | undefined {
  if (typeof endpoint !== 'object') return endpoint
  const query = Object.entries(endpoint.params ?? {}).map(([name, value]) => `${name}=${value}`)
  return query.length > 0 ? `${endpoint.url}?${query.join('&')}` : endpoint.url
}

function factsOf(made: OAuthConfig<unknown>) {
  return {
    issuer: made.issuer,
    token: urlOf(made.token),
    userinfo: urlOf(made.userinfo),
    clientAuth: made.client?.token_endpoint_auth_method,
    scopeSeparator: made.scopeSeparator,
    checks: made.checks,
    profileFrom: made.type === 'oidc' && made.idToken === false ? 'userinfo' : undefined,
  }
}

function expectedFacts({
  issuer,
  token,
  userinfo,
  clientAuth,
  scopeSeparator,
  checks,
  profileFrom,
}: CatalogueRow) {
  return { issuer, token, userinfo, clientAuth, scopeSeparator, checks, profileFrom }
}

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) {
    if (typeof each === 'object' && each !== null) deepFreeze(each)
  }
  return Object.freeze(value)
}
