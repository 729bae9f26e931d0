import type { Adapter } from '@siteauth/core/adapters'
import { request, type Scenario } from '../scenario.ts'

const email = {
  id: 'mail',
  name: 'Mail',
  type: 'email',
  sendVerificationRequest: () => {},
} as const

const webauthn = {
  id: 'passkey',
  name: 'Passkey',
  type: 'webauthn',
  getUserInfo: () => null,
  getRelayingParty: () => ({
    id: 'app.example.com',
    name: 'App',
    origin: 'https://app.example.com',
  }),
  simpleWebAuthnBrowserVersion: 'v9.0.1',
  enableConditionalUI: false,
  formFields: { email: { label: 'Email', autocomplete: 'username webauthn' } },
}

/** Does everything, for configurations that only have to exist. */
const adapter = new Proxy({} as Adapter, {
  get: () => () => null,
  has: () => true,
})

function configured(id: string, config: object, path = '/session'): Scenario {
  return request(`configuration/${id}`, { path, config: () => config })
}

/**
 * These stand at the end: the library that we succeed remembers for ever that it has seen a provider
 * of such a type, and treats all configurations accordingly.
 */
export const onceSeenScenarios: readonly Scenario[] = [
  configured('email without adapter', { providers: [email] }),
  configured('email, adapter without methods', { providers: [email], adapter: {} }),
  configured('email, complete', { providers: [email], adapter }),
  configured('email, JWT sessions', { providers: [email], adapter, session: { strategy: 'jwt' } }),
  configured('email, listed', { providers: [email], adapter }, '/providers'),
  configured('email, sign-in page', { providers: [email], adapter }, '/signin?email=a@b.example'),
  configured('no email, after one was seen', {}),
  configured('WebAuthn not enabled', { providers: [webauthn], adapter }),
  configured('WebAuthn without adapter', {
    providers: [webauthn],
    experimental: { enableWebAuthn: true },
  }),
  configured('WebAuthn enabled', {
    providers: [webauthn],
    adapter,
    experimental: { enableWebAuthn: true },
  }),
  configured('WebAuthn, two with conditional UI', {
    providers: [
      { ...webauthn, enableConditionalUI: true },
      { ...webauthn, id: 'second', enableConditionalUI: true },
    ],
    adapter,
    experimental: { enableWebAuthn: true },
  }),
  configured('WebAuthn, conditional UI without field', {
    providers: [{ ...webauthn, enableConditionalUI: true, formFields: { email: {} } }],
    adapter,
    experimental: { enableWebAuthn: true },
  }),
  configured('WebAuthn, odd version', {
    providers: [{ ...webauthn, simpleWebAuthnBrowserVersion: 'nine' }],
    adapter,
    experimental: { enableWebAuthn: true },
  }),
  configured('no WebAuthn, after one was seen', { adapter, session: { strategy: 'jwt' } }),
]
