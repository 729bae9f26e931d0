import type { AuthConfig } from '@siteauth/core'
import type { Adapter } from '@siteauth/core/adapters'
import type { WebAuthnConfig } from '@siteauth/core/providers/webauthn'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { ADA, createPasskeyApplication, ORIGIN, outcomeOf } from './passkey-application.ts'
import { SoftwareAuthenticator } from './software-authenticator.ts'

const APEX = 'https://example.com'
/** Another host of the domain, whose server belongs to an attacker. */
const SIBLING = 'https://evil.example.com'
const relayingParty = { id: 'example.com' }

/** An application whose requests say which host it has, and whose passkeys are those of the whole domain. */
function withoutOrigin(trustHost: AuthConfig['trustHost'], adapter = MemoryAdapter() as Adapter) {
  const provider = { relayingParty }
  return createPasskeyApplication({
    provider,
    config: { trustHost },
    adapter,
    env: { NODE_ENV: 'test' },
  })
}

describe('an id of the relying party that covers several hosts', () => {
  it.each([{ action: 'authenticate' }, { action: 'register', email: ADA }])(
    'is a configuration error if requests choose the host: $action',
    async asked => {
      const application = withoutOrigin(true)
      expect(outcomeOf(await application.person().ask(asked))).toBe('Configuration')
      expect(application.errors[0]?.message).toMatch(/relayingParty\.origin.*AUTH_URL/)
    },
  )

  it.each([SIBLING, APEX])(
    'does not let the server of a sibling host sign in by an assertion made there, sent to %s',
    async origin => {
      const adapter = MemoryAdapter() as Adapter
      const application = withoutOrigin(true, adapter)
      const device = new SoftwareAuthenticator(APEX)
      const ada = application.person(device, APEX)
      expect(outcomeOf(await ada.register(ADA))).toBe(APEX)
      const attacker = application.person(undefined, APEX)
      const options = await attacker.options({ action: 'authenticate' })
      // Ada is on a page of the attacker, which may use the passkeys of the domain.
      const assertion = device.get(options, { clientData: { origin: SIBLING } })
      const relay = application.person(undefined, origin)
      for (const [name, value] of attacker.browser.cookies) relay.browser.cookies.set(name, value)
      expect(outcomeOf(await relay.answer('authenticate', assertion))).not.toBe(origin)
      expect(await relay.email()).toBeUndefined()
      await ada.signOut()
      expect(outcomeOf(await ada.signIn())).toBe(APEX)
    },
  )

  it.each([[['*.example.com']], [['app.example.com', '*.example.com']]])(
    'is one if they choose it from the list %j',
    async trustHost => {
      const application = withoutOrigin(trustHost)
      const { status } = await application.person().ask({ action: 'authenticate' })
      expect(status).toBe(500)
      expect(application.errors[0]?.message).toMatch(/relayingParty\.origin.*AUTH_URL/)
    },
  )

  it.each<
    [string, AuthConfig['trustHost'], Record<string, string>, WebAuthnConfig['relayingParty']?]
  >([
    ['AUTH_URL', undefined, { AUTH_URL: `${ORIGIN}/auth` }],
    ['a list of hosts', ['app.example.com'], {}],
    ['relayingParty.origin', true, {}, { ...relayingParty, origin: ORIGIN }],
    ['several ids, of which the first counts', ['app.example.com'], {}, { id: ['example.com'] }],
  ])('works with %s', async (_, trustHost, env, party = relayingParty) => {
    const application = createPasskeyApplication({
      provider: { relayingParty: party },
      config: trustHost === undefined ? {} : { trustHost },
      env,
    })
    const ada = application.person()
    expect(outcomeOf(await ada.register(ADA))).toBe(ORIGIN)
    expect(await ada.email()).toBe(ADA)
  })
})
