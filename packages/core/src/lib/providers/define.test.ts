import { describe, expect, it } from 'vitest'
import { completeProvider } from './complete-provider.ts'
import {
  defineOAuth,
  defineOIDC,
  type OAuth2Provider,
  type OIDCProvider,
  type StandardClaims,
} from './define.ts'
import { customFetch } from './oauth.ts'

interface ExampleProfile {
  id: number
  [claim: string]: unknown
}

const Example: OAuth2Provider<ExampleProfile, { baseUrl?: string; region?: string }> = defineOAuth({
  id: 'example',
  name: 'Example',
  defaults: { region: 'eu' },
  consumes: ['baseUrl', 'region'],
  scope: 'profile',
  authorization: { url: '{baseUrl}/authorize', params: { region: '{region}', hint: '{hint}' } },
  token: { url: '{baseUrl}/token' },
  userinfo: { url: '{baseUrl}/me' },
  clientAuth: 'post',
  profile: { id: 'id', name: 'name', email: null, image: null },
})

const Tenants: OIDCProvider<StandardClaims> = defineOIDC({ id: 'tenants', name: 'Tenants' })

describe('a provider made from data', () => {
  it('fills its templates from options, from defaults, and leaves out what is not known', () => {
    const { authorization } = Example({ baseUrl: 'https://example.com/' })
    expect(authorization).toEqual({
      url: 'https://example.com/authorize',
      params: { scope: 'profile', region: 'eu' },
    })
  })

  it('has no endpoint where an option is missing, and still has its parameters', () => {
    const made = Example({ clientId: 'ID' })
    expect(made.authorization).toEqual({ params: { scope: 'profile', region: 'eu' } })
    expect(made).not.toHaveProperty('token')
    expect(made).not.toHaveProperty('userinfo')
    expect(made).not.toHaveProperty('issuer')
  })

  it('hands on the options of the application, without those that it used up', () => {
    const ownFetch = fetch
    const made = Example({ clientId: 'ID', baseUrl: 'https://a.example', [customFetch]: ownFetch })
    expect(made.options).toEqual({ clientId: 'ID', [customFetch]: ownFetch })
  })

  it('does not say again what an application wrote into its own URL', () => {
    const url = 'https://example.com/authorize?scope=all'
    const made = Example({ baseUrl: 'https://example.com', authorization: { url } })
    expect(made.authorization).toMatchObject({ params: { region: 'eu' } })
    expect(made.authorization).not.toHaveProperty('params.scope')
  })

  it('refuses a profile that does not say who it is', () => {
    const { profile } = Example()
    expect(() => profile?.({ name: 'Ada' } as never, {})).toThrow(
      'expected the profile to have an id',
    )
  })

  it('maps the standard claims unless told otherwise', () => {
    const claims = { sub: '1', nickname: 'ada', picture: 'https://example.com/ada.png' }
    expect(Tenants().profile?.(claims, {})).toEqual({
      id: '1',
      name: 'ada',
      email: null,
      image: 'https://example.com/ada.png',
    })
  })
})

describe('completing a provider with what was found after it was called', () => {
  it('fills the templates, and lets the application win', () => {
    const called = Example({ clientId: 'OWN' })
    const found = { clientId: 'FOUND', clientSecret: 'SECRET', baseUrl: 'https://example.com' }
    const made = completeProvider(called, found)
    expect(made.token).toEqual({ url: 'https://example.com/token' })
    expect(made.options).toEqual({ clientId: 'OWN', clientSecret: 'SECRET' })
    expect(called).not.toHaveProperty('token')
  })

  it('leaves alone what an application wrote or changed itself', () => {
    const copied = { ...Example(), name: 'Mine' }
    expect(completeProvider(copied, { baseUrl: 'https://example.com' })).toBe(copied)
  })
})
