import Passkey from '@siteauth/core/providers/passkey'
import { expect, it } from 'vitest'
import { startSite } from '../security/site-with-provider.ts'
import {
  ADA,
  createPasskeyApplication,
  ORIGIN,
  outcomeOf,
} from '../webauthn/passkey-application.ts'

// Another site can open pages of this one in the browser of a visitor, as many and as often as it likes.

it('pages that another site opens end no sign-in of a visitor who is at a provider', async () => {
  const clock = { now: Date.now() }
  const { settings } = startSite({})
  const { visitor, begin, agree } = startSite({
    experimental: { enableWebAuthn: true },
    providers: [...(settings.providers ?? []), Passkey({})],
    ports: { ...settings.ports, now: () => clock.now },
  }).enter()
  const begun = await begin()
  const callbackUrl = 'https://app.example.com/'.padEnd(2048, 'a')
  for (let page = 0; page < 4; page++) {
    clock.now += 1000
    await visitor.get('/webauthn-options/passkey?action=authenticate')
    await visitor.get(`/signin?${new URLSearchParams({ callbackUrl })}`)
  }
  await visitor.send(agree(begun, 'ann'))
  expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
})

it('requests for a challenge that other sites send end no challenge, and those of a trusted one get theirs', async () => {
  const trusted = 'https://www.example.com'
  const site = createPasskeyApplication({ config: { trustedOrigins: [trusted] } })
  const ada = site.person()
  await ada.register(ADA)
  await ada.signOut()
  const options = await ada.options({ action: 'authenticate' })
  const path = '/webauthn-options/passkey?action=authenticate'
  for (const [kind, status] of [
    ['cross-site', 403],
    ['same-site', 403],
    ['none', 200],
  ] as const) {
    const count = status === 403 ? 4 : 1
    for (let page = 0; page < count; page++) {
      site.clock.now += 1000
      const asked = await ada.browser.get(path, { 'sec-fetch-site': kind })
      expect(asked.status).toBe(status)
      expect(asked.headers.getSetCookie().length > 0).toBe(status === 200)
    }
  }
  const headers = { origin: trusted, 'sec-fetch-site': 'same-site' }
  expect((await ada.browser.get(path, headers)).status).toBe(200)
  expect(outcomeOf(await ada.answer('authenticate', ada.device.get(options)))).toBe(ORIGIN)
})
