import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CatalogueRow, ROWS } from '../../test/catalogue.rows.ts'
import type { Profile } from '../lib/model.ts'
import { resolveOAuthProvider } from '../lib/oauth/resolve-provider.ts'
import { mergeOptions } from '../lib/providers/merge-options.ts'
import type { OAuthConfig } from '../lib/providers/oauth.ts'

type Config = Record<string, unknown>
type ProviderFunction = (config?: Config) => OAuthConfig<unknown>

// Written elsewhere, because they do not speak OAuth.
const OTHER_KINDS = [
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
