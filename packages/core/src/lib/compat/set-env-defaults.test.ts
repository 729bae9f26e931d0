import { describe, expect, it } from 'vitest'
import { recordingLogger } from '../../../test/visitor.ts'
import Apple from '../../providers/apple.ts'
import Auth0 from '../../providers/auth0.ts'
import GitHub from '../../providers/github.ts'
import type { AuthConfig } from '../config/options.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { setEnvDefaults } from './set-env-defaults.ts'

function filled(
  env: Readonly<Record<string, string>>,
  config: Partial<AuthConfig> = {},
  suppress?: boolean,
) {
  const { logger, warnings } = recordingLogger()
  const own: AuthConfig = { providers: [], logger, ...config }
  setEnvDefaults(env, own, suppress)
  return { config: own, warnings, providers: own.providers as ProviderObject[] }
}

describe('what the environment fills in', () => {
  it('is id, secret, issuer and key of each provider', () => {
    const env = {
      AUTH_AUTH0_ID: 'asdf',
      AUTH_AUTH0_SECRET: 'fdsa',
      AUTH_AUTH0_ISSUER: 'https://issuer.test',
      AUTH_RESEND_KEY: 'resend',
      AUTH_APPLE_ID: 'apple',
    }
    const resend = {
      id: 'resend',
      name: 'Resend',
      type: 'email',
      sendVerificationRequest: () => {},
    } as const
    const { providers } = filled(env, { providers: [Auth0, resend, Apple({}), GitHub] })
    expect(providers).toMatchObject([
      { id: 'auth0', clientId: 'asdf', clientSecret: 'fdsa', issuer: 'https://issuer.test' },
      { id: 'resend', apiKey: 'resend' },
      { id: 'apple', clientId: 'apple' },
      { id: 'github' },
    ])
  })

  it('is not what the application has said already', () => {
    const env = { AUTH_GITHUB_ID: 'from env', AUTH_GITHUB_SECRET: 'secret from env' }
    const own = { id: 'github', name: 'G', type: 'oauth', clientId: 'own' } as const
    expect(filled(env, { providers: [own] }).providers[0]).toMatchObject({
      clientId: 'own',
      clientSecret: 'secret from env',
    })
    expect(own).toEqual({ id: 'github', name: 'G', type: 'oauth', clientId: 'own' })
  })

  it('is the secret, the newest of several first', () => {
    expect(filled({ AUTH_SECRET: 'a' }).config.secret).toEqual(['a'])
    expect(filled({ AUTH_SECRET: 'a', AUTH_SECRET_1: 'b' }).config.secret).toEqual(['b', 'a'])
    expect(filled({ NEXTAUTH_SECRET: 'n' }).config.secret).toEqual(['n'])
    expect(filled({}).config.secret).toBeUndefined()
  })

  it('is the secret only where the application has none', () => {
    const env = { AUTH_SECRET: 'a' }
    expect(filled(env, { secret: 'own' }).config.secret).toBe('own')
    expect(filled(env, { secret: ['own'] }).config.secret).toEqual(['own'])
    expect(filled(env, { secret: '' }).config.secret).toEqual(['a'])
    expect(filled(env, { secret: [] }).config.secret).toEqual(['a'])
  })

  it('is the redirect proxy, which an empty option blocks', () => {
    const env = { AUTH_REDIRECT_PROXY_URL: 'https://proxy.test/auth' }
    expect(filled(env).config.redirectProxyUrl).toBe('https://proxy.test/auth')
    expect(filled(env, { redirectProxyUrl: '' }).config.redirectProxyUrl).toBe('')
    expect(filled({}).config.redirectProxyUrl).toBeUndefined()
  })

  it('is the list of origins behind the redirect proxy', () => {
    const env = { AUTH_REDIRECT_PROXY_ORIGINS: 'https://a.test, https://*.b.test' }
    expect(filled(env).config.redirectProxyOrigins).toEqual(['https://a.test', 'https://*.b.test'])
    expect(filled(env, { redirectProxyOrigins: [] }).config.redirectProxyOrigins).toEqual([])
    expect(filled({}).config.redirectProxyOrigins).toBeUndefined()
  })

  it('is the base path, from the path of AUTH_URL', () => {
    expect(filled({ AUTH_URL: 'https://x.test/api/auth' }).config.basePath).toBe('/api/auth')
    expect(filled({ AUTH_URL: 'https://x.test/api/auth/' }).config.basePath).toBe('/api/auth')
    expect(filled({ AUTH_URL: 'https://x.test' }).config.basePath).toBe('/auth')
    expect(filled({ AUTH_URL: 'nonsense' })).toMatchObject({
      config: { basePath: '/auth' },
      warnings: [],
    })
    expect(filled({}).config.basePath).toBe('/auth')
  })

  it('is the base path only where the application has none, and two are warned of', () => {
    const env = { AUTH_URL: 'https://x.test/api/auth' }
    expect(filled(env, { basePath: '/own' })).toMatchObject({
      config: { basePath: '/own' },
      warnings: ['env-url-basepath-redundant'],
    })
    expect(filled(env, { basePath: '/own' }, true).warnings).toEqual([])
    expect(filled({ AUTH_URL: 'https://x.test' }, { basePath: '/own' }).warnings).toEqual([])
  })

  it.each([
    { AUTH_TRUST_HOST: 'true' },
    { VERCEL: '1' },
    { CF_PAGES: '1' },
    { NODE_ENV: 'development' },
    { NODE_ENV: 'test' },
    { AUTH_URL: 'https://x.test' },
  ])('is that the host is trusted, with %j', env => {
    expect(filled({ NODE_ENV: 'production', ...env }).config.trustHost).toBe(true)
    expect(filled({ NODE_ENV: 'production', ...env }, { trustHost: false }).config.trustHost).toBe(
      false,
    )
  })

  it('is that the host is not trusted in production, nor where it says so', () => {
    expect(filled({ NODE_ENV: 'production' }).config.trustHost).toBeUndefined()
    expect(filled({ AUTH_TRUST_HOST: 'false' }).config.trustHost).toBe(false)
  })
})
