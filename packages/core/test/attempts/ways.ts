import { ANN, PASSWORDS, type World } from '../principal/world.ts'
import type { Visitor } from '../visitor.ts'
import type { Options, SoftwareAuthenticator } from '../webauthn/software-authenticator.ts'
import type { Site } from './site.ts'

export const ANN_AT_PLAIN = 'ann-at-plain'

/** The last request of a sign-in: it brings the proof. */
export type LastRequest = () => Promise<Response>

/** One way for Ann to sign in, or to get a new session over the one that she has. */
export interface Way {
  /** When the attempt starts: with the last request, or when something was issued that it brings back. */
  readonly startsWith: 'last request' | 'issue'
  /** Whether it takes a session: then it ends with that as well. */
  readonly isSignedIn?: boolean
  /** Whether it takes the password that Ann has. */
  readonly takesPassword?: boolean
  /** Whether Ann does not have one yet. */
  readonly hasNoPassword?: boolean
  /** Everything but the last request. */
  begin(site: Site, visitor: Visitor): Promise<LastRequest>
}

/** Every way to sign in, and to add something to sign in with. */
export const WAYS: Readonly<Record<string, Way>> = {
  password: {
    startsWith: 'last request',
    takesPassword: true,
    begin: async (_site, visitor) =>
      form(visitor, '/signin/password', { email: ANN.email, password: PASSWORDS.ann }),
  },
  credentials: {
    startsWith: 'last request',
    begin: async (_site, visitor) => form(visitor, '/callback/own', { email: ANN.email }),
  },
  passkey: {
    startsWith: 'last request',
    async begin({ device, signedIn }, visitor) {
      await registerPasskey(await signedIn(), device)
      const data = JSON.stringify(device.get(await optionsFor(visitor, 'authenticate')))
      return form(visitor, '/callback/passkey', { action: 'authenticate', data })
    },
  },
  'a link by email': {
    startsWith: 'issue',
    async begin(site, visitor) {
      await visitor.post('/signin/mail', { email: ANN.email })
      const { origin, pathname, searchParams } = last(site.world.mails)
      return form(visitor, origin + pathname, Object.fromEntries(searchParams))
    },
  },
  'a code by email': {
    startsWith: 'issue',
    async begin(site, visitor) {
      await visitor.post('/signin/codes', { email: ANN.email })
      return form(visitor, '/signin/codes', { code: last(site.codes) })
    },
  },
  'a link to choose a password by': {
    startsWith: 'issue',
    begin: choosePassword,
  },
  'a link to choose a first password by': {
    startsWith: 'issue',
    hasNoPassword: true,
    async begin(site, visitor) {
      await site.world.store.passwords.remove(site.world.annId)
      return choosePassword(site, visitor)
    },
  },
  OAuth: {
    startsWith: 'issue',
    begin: ({ world }, visitor) => sentBack(world, visitor, 'plain', ANN_AT_PLAIN),
  },
  'OpenID Connect': {
    startsWith: 'issue',
    begin: ({ world }, visitor) => sentBack(world, visitor, 'first', 'subject-of-ann'),
  },
  'an account that is added': {
    startsWith: 'issue',
    isSignedIn: true,
    begin: ({ world }, visitor) => sentBack(world, visitor, 'first', 'another-account-of-ann'),
  },
  'a passkey that is added': {
    startsWith: 'last request',
    isSignedIn: true,
    async begin({ device }, visitor) {
      const data = JSON.stringify(device.create(await optionsFor(visitor, 'register')))
      return form(visitor, '/callback/passkey', { action: 'register', data })
    },
  },
  'a password that is changed': {
    startsWith: 'last request',
    isSignedIn: true,
    takesPassword: true,
    begin: async (_site, visitor) =>
      form(visitor, '/password', {
        currentPassword: PASSWORDS.ann,
        newPassword: PASSWORDS.new,
      }),
  },
}

/** Registers the passkey of Ann's device. */
async function registerPasskey(visitor: Visitor, device: SoftwareAuthenticator) {
  const data = JSON.stringify(device.create(await optionsFor(visitor, 'register')))
  await (await form(visitor, '/callback/passkey', { action: 'register', data }))()
}

async function optionsFor(visitor: Visitor, action: string): Promise<Options> {
  const response = await visitor.get(`/webauthn-options/passkey?action=${action}`)
  return ((await response.json()) as { options: Options }).options
}

/** A form, with the token that it needs already there: sending it is one request. */
async function form(
  visitor: Visitor,
  path: string,
  fields: Record<string, string>,
): Promise<LastRequest> {
  const body = new URLSearchParams({ csrfToken: await visitor.csrfToken(), ...fields })
  return () => visitor.send(path, { method: 'POST', body })
}

async function choosePassword({ world }: Site, visitor: Visitor): Promise<LastRequest> {
  await visitor.post('/password/forgot', { email: ANN.email })
  const link = Object.fromEntries(last(world.passwordMails).searchParams)
  return form(visitor, '/callback/password', { ...link, password: PASSWORDS.new })
}

async function sentBack(
  world: World,
  visitor: Visitor,
  provider: string,
  sub: string,
): Promise<LastRequest> {
  const back = world.agree(await visitor.post(`/signin/${provider}`), sub)
  return () => visitor.send(back.href)
}

function last<Item>(items: readonly Item[]): Item {
  const item = items.at(-1)
  if (item === undefined) throw new Error('nothing was sent')
  return item
}
