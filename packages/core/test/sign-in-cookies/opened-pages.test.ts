import Passkey from '@siteauth/core/providers/passkey'
import { expect, it } from 'vitest'
import { startSite } from '../security/site-with-provider.ts'

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
