import { describe, expect, it, vi } from 'vitest'
import GitHub from '../../../providers/github.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import type { Provider, ProviderObject } from '../../providers/provider.ts'
import { resolveProviders } from './resolve-providers.ts'

const env = {
  AUTH_GITHUB_ID: 'id',
  AUTH_GITHUB_SECRET: 'secret',
  AUTH_WORK_ID: 'work id',
  AUTH_OA_ISSUER: 'https://issuer.example',
  AUTH_MAIL_KEY: 'key',
}

function resolved(...providers: Provider[]): Record<string, unknown>[] {
  const { providers: found, problems: faults } = resolveProviders(providers, env)
  expect(faults).toEqual([])
  return [...found.values()].map(each => ({ ...each }))
}

const base = {
  id: 'oa',
  name: 'OA',
  type: 'oauth',
  authorization: { url: 'https://oa.example', params: { scope: 'a', prompt: 'b' } },
  checks: ['pkce', 'state'],
} as const satisfies ProviderObject

describe('a provider in the configuration', () => {
  it('may be a bare function, which gets what the environment says', () => {
    expect(resolved(GitHub)).toMatchObject([
      { id: 'github', clientId: 'id', clientSecret: 'secret' },
    ])
    const own = vi.fn((options: object) => ({ ...base, options }) as OAuthConfig<never>)
    expect(resolved(own)).toMatchObject([{ id: 'oa', issuer: 'https://issuer.example' }])
    expect(own.mock.calls).toEqual([[{}], [{ issuer: 'https://issuer.example' }]])
  })

  it('may be called, and then gets what it was not given', () => {
    expect(resolved(GitHub({ clientId: 'own' }))).toMatchObject([
      { clientId: 'own', clientSecret: 'secret' },
    ])
  })

  it('may be an object, and gets the same', () => {
    expect(resolved(base)).toMatchObject([{ ...base, issuer: 'https://issuer.example' }])
    const named = { ...base, issuer: 'https://own.example' }
    expect(resolved(named)).toMatchObject([{ issuer: 'https://own.example' }])
    const absent = { ...base, issuer: undefined as never }
    expect(resolved(absent)).toMatchObject([{ issuer: 'https://issuer.example' }])
  })

  it('may have an id of its own, whose variables go before those of the id it came with', () => {
    const work = GitHub({ id: 'work' } as never)
    expect(resolved(GitHub, work)).toMatchObject([
      { id: 'github', clientId: 'id', clientSecret: 'secret' },
      { id: 'work', clientId: 'work id', clientSecret: 'secret' },
    ])
  })

  it('has its options laid over its own values: objects merge, arrays are replaced', () => {
    const options = { authorization: { params: { scope: 'c' } }, checks: ['none'], name: 'Mine' }
    expect(resolved({ ...base, options } as unknown as ProviderObject)).toMatchObject([
      {
        name: 'Mine',
        authorization: { url: 'https://oa.example', params: { scope: 'c', prompt: 'b' } },
        checks: ['none'],
      },
    ])
  })

  it('for email gets its key', () => {
    const mail = {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      sendVerificationRequest: () => {},
    } as const
    expect(resolved(mail)).toMatchObject([{ apiKey: 'key' }])
    expect(resolved({ ...mail, apiKey: 'own' })).toMatchObject([{ apiKey: 'own' }])
  })

  it('of another kind gets nothing', () => {
    const credentials = {
      id: 'github',
      name: 'Password',
      type: 'credentials',
      credentials: {},
      authorize: () => null,
    } as const
    expect(resolved(credentials)).toEqual([credentials])
  })

  it('stays as the application made it', () => {
    const options = Object.freeze({ authorization: Object.freeze({ params: { x: 'y' } }) })
    const own = Object.freeze({ ...base, options }) as unknown as ProviderObject
    const before = structuredClone(own)
    resolved(own)
    expect(own).toEqual(before)
    const loose: ProviderObject = { ...base }
    resolved(loose)
    expect(Object.isFrozen(loose)).toBe(false)
  })

  it('with an id that another has is passed over, and named', () => {
    const { providers, repeatedIds } = resolveProviders([base, { ...base, name: 'Second' }], {})
    expect(providers.get('oa')?.name).toBe('OA')
    expect(repeatedIds).toEqual(['oa'])
  })

  it('is not one of those that every object has', () => {
    const { providers } = resolveProviders([base], {})
    for (const id of ['constructor', '__proto__', 'toString']) expect(providers.has(id)).toBe(false)
  })
})
