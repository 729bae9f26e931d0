import assert from 'node:assert/strict'
import type { Visitor } from '../visitor.ts'
import { type IntegrationCase, locationOf } from './integration-case.ts'
import { type PasskeyOptions, SoftwarePasskey } from './software-passkey.ts'
import { PASSWORD } from './suite-variables.ts'

const GOOD_PASSWORD = 'correct horse battery staple'

export const SIGN_IN_CASES: readonly IntegrationCase[] = [
  {
    name: 'credentials sign in, and lead where the visitor wanted to be',
    async run({ visitor, nameOf, origin }) {
      const ada = visitor()
      assert.equal(await nameOf(ada), null)
      const fields = { name: 'Ada', password: PASSWORD, callbackUrl: `${origin}/private` }
      const response = await ada.post('/callback/credentials', fields)
      assert.equal(locationOf(response, origin).href, `${origin}/private`)
      assert.equal(await nameOf(ada), 'Ada')
    },
  },
  {
    name: 'a wrong password leads back to the sign-in page, and signs nobody in',
    async run({ visitor, nameOf, origin }) {
      const ada = visitor()
      const response = await ada.post('/callback/credentials', { name: 'Ada', password: 'wrong' })
      assert.equal(locationOf(response, origin).searchParams.get('error'), 'CredentialsSignin')
      assert.equal(await nameOf(ada), null)
    },
  },
  {
    name: 'a provider signs in, by several cookies that are set and removed at once',
    async run({ visitor, nameOf, origin, base, provider }) {
      const ada = visitor()
      const away = await ada.post('/signin/fake', { callbackUrl: `${origin}/private` })
      const authorization = locationOf(away, origin)
      assert.equal(authorization.searchParams.get('redirect_uri'), `${base}/callback/fake`)
      const back = await ada.send(provider.authorize(authorization).href)
      assert.ok(back.headers.getSetCookie().length > 1, 'each cookie has a header of its own')
      assert.equal(locationOf(back, origin).href, `${origin}/private`)
      assert.equal(await nameOf(ada), 'Ada Lovelace')
    },
  },
  {
    name: 'an answer of a provider works only in the browser that asked',
    async run({ visitor, nameOf, origin, provider }) {
      const away = await visitor().post('/signin/fake')
      const back = provider.authorize(locationOf(away, origin), { as: 'ben' })
      const victim = visitor()
      await victim.send(back.href)
      assert.equal(await nameOf(victim), null)
    },
  },
  {
    name: 'a link in a mail signs in',
    async run({ visitor, nameOf, mailTo, base }) {
      const person = visitor()
      await person.post('/signin/mail', { email: 'link@example.com' })
      const { link } = await mailTo('link@example.com')
      assert.ok(link)
      assert.ok(link.href.startsWith(`${base}/callback/mail?`), 'the link leads to the endpoints')
      await person.openLink(link)
      assert.equal(await nameOf(person), 'link@example.com')
    },
  },
  {
    name: 'a code in a mail signs in',
    async run({ visitor, nameOf, mailTo }) {
      const person = visitor()
      await person.post('/signin/mail', { email: 'code@example.com' })
      const { code } = await mailTo('code@example.com')
      await person.post('/signin/mail', { code: code ?? 'none' })
      assert.equal(await nameOf(person), 'code@example.com')
    },
  },
  {
    name: 'a password is chosen behind a link, and signs in from then on',
    async run({ visitor, nameOf, mailTo }) {
      const email = 'password@example.com'
      const person = visitor()
      await person.post('/password/sign-up', { email })
      const { link } = await mailTo(email)
      assert.ok(link)
      const proof = Object.fromEntries(link.searchParams)
      await person.post(link.origin + link.pathname, { ...proof, password: GOOD_PASSWORD })
      assert.equal(await nameOf(person), email)
      const again = visitor()
      await again.post('/signin/password', { email, password: GOOD_PASSWORD })
      assert.equal(await nameOf(again), email)
    },
  },
  {
    name: 'a passkey is made by somebody who is signed in, and signs in from then on',
    async run({ visitor, visitorAs, nameOf, origin }) {
      const passkey = await makePasskey(await visitorAs('Grace'), origin)
      const again = visitor()
      const used = passkey.get(await passkeyOptions(again, 'authenticate'))
      await again.post('/callback/passkey', { action: 'authenticate', data: JSON.stringify(used) })
      assert.equal(await nameOf(again), 'Grace')
    },
  },
  {
    name: 'a passkey works only in the browser that asked for the challenge',
    async run({ visitor, visitorAs, nameOf, origin }) {
      const mallory = await visitorAs('Mallory')
      const passkey = await makePasskey(mallory, origin)
      const used = passkey.get(await passkeyOptions(mallory, 'authenticate'))
      const victim = visitor()
      await passkeyOptions(victim, 'authenticate')
      await victim.post('/callback/passkey', { action: 'authenticate', data: JSON.stringify(used) })
      assert.equal(await nameOf(victim), null)
    },
  },
]

/** A passkey of somebody who is signed in. */
async function makePasskey(person: Visitor, origin: string): Promise<SoftwarePasskey> {
  const passkey = new SoftwarePasskey(origin)
  const made = passkey.create(await passkeyOptions(person, 'register'))
  await person.post('/callback/passkey', { action: 'register', data: JSON.stringify(made) })
  return passkey
}

async function passkeyOptions(
  visitor: Visitor,
  action: 'register' | 'authenticate',
): Promise<PasskeyOptions> {
  const response = await visitor.get(`/webauthn-options/passkey?action=${action}`)
  assert.equal(response.status, 200)
  const { options } = (await response.json()) as { options: PasskeyOptions }
  return options
}
