import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { listProtections } from '../../src/lib/endpoints/routes.ts'
import { resetPassword } from '../accounts/steps.ts'
import { ADDRESS, createWorld, SECRETS, userIn, type World } from '../accounts/world.ts'
import { CLIENT_ID } from '../oauth/fake-server.ts'
import type { Visitor } from '../visitor.ts'
import type { Options } from '../webauthn/software-authenticator.ts'

// Every endpoint, used by a page of Mallory's through Ann's browser. A new route fails here until
// somebody has written down how it could be misused, and what protects it in the documentation.

const ORIGIN = 'https://app.example.com'
const PROTECTIONS = listProtections()
const KEYS = Object.keys(PROTECTIONS)

/** What Mallory would have Ann's browser send: as good as he can make it with what is his own. */
interface Forged {
  readonly path: string
  readonly fields?: Readonly<Record<string, string>>
}

type Door = (world: World, mallory: Visitor) => Promise<Forged> | Forged

const DOORS: Readonly<Record<string, Door>> = {
  'GET session': () => ({ path: '/session', fields: { data: 'changed' } }),
  'POST session': () => ({ path: '/session', fields: { data: 'changed' } }),
  'GET sessions': () => ({ path: '/sessions', fields: { others: 'true' } }),
  'POST sessions/end': () => ({ path: '/sessions/end', fields: { others: 'true' } }),
  'GET accounts': () => ({ path: '/accounts', fields: { provider: 'vouching', accountId: 'ann' } }),
  'POST accounts/unlink': async (_, mallory) => ({
    path: '/accounts/unlink',
    fields: { provider: 'vouching', accountId: (await userIn(mallory)) ? 'mallory' : 'ann' },
  }),
  'GET access-token/oauth': () => ({ path: '/access-token/vouching' }),
  'GET csrf': () => ({ path: '/csrf' }),
  'GET providers': () => ({ path: '/providers' }),
  'GET signin': () => ({ path: '/signin', fields: { add: 'passkey', callbackUrl: '/there' } }),
  'POST signin': () => ({ path: '/signin', fields: { callbackUrl: '/there' } }),
  'POST signin/credentials': () => ({
    path: '/signin/password',
    fields: { who: 'mallory', callbackUrl: '/there' },
  }),
  'POST signin/webauthn': () => ({ path: '/signin/passkey', fields: { callbackUrl: '/there' } }),
  'POST signin/oauth': () => ({ path: '/signin/loose' }),
  'GET callback/oauth': answerOfProvider,
  'POST callback/oauth': answerOfProvider,
  'POST signin/email': () => ({ path: '/signin/mail', fields: { email: ADDRESS.mallory } }),
  'GET callback/email': linkToMallory,
  'POST callback/email': linkToMallory,
  'POST callback/credentials': () => ({ path: '/callback/password', fields: { who: 'mallory' } }),
  'GET webauthn-options/webauthn': () => ({
    path: '/webauthn-options/passkey',
    fields: { action: 'register', email: ADDRESS.ann },
  }),
  'POST callback/webauthn': async (world, mallory) => ({
    path: '/callback/passkey',
    fields: { action: 'authenticate', data: await useOf(world, mallory) },
  }),
  'POST signin/password': async (world, mallory) => {
    await resetPassword(world, mallory, 'mallory')
    const [password] = SECRETS.mallory
    return { path: '/signin/kept', fields: { email: ADDRESS.mallory, password } }
  },
  'GET callback/password': passwordLinkToMallory,
  'POST callback/password': passwordLinkToMallory,
  'GET password': () => ({ path: '/password' }),
  'POST password': async (world, mallory) => {
    await resetPassword(world, mallory, 'mallory')
    const [currentPassword, newPassword] = SECRETS.mallory
    return { path: '/password', fields: { currentPassword, newPassword } }
  },
  'POST password/remove': async (world, mallory) => {
    await resetPassword(world, mallory, 'mallory')
    return { path: '/password/remove', fields: { currentPassword: SECRETS.mallory[0] } }
  },
  'GET password/sign-up': () => ({ path: '/password/sign-up', fields: { email: ADDRESS.mallory } }),
  'POST password/sign-up': () => ({
    path: '/password/sign-up',
    fields: { email: ADDRESS.mallory },
  }),
  'GET password/forgot': () => ({ path: '/password/forgot', fields: { email: ADDRESS.mallory } }),
  'POST password/forgot': () => ({ path: '/password/forgot', fields: { email: ADDRESS.mallory } }),
  'GET signout': () => ({ path: '/signout', fields: { callbackUrl: '/there' } }),
  'POST signout': () => ({ path: '/signout' }),
  'GET signout/provider': async (world, mallory) => {
    await comeFrom(world, mallory, 'mallory')
    const headers = { cookie: mallory.cookieHeader() }
    return { path: await world.auth.signOut({ headers, url: ORIGIN }) }
  },
  'GET signout/return': async (world, mallory) => {
    await comeFrom(world, mallory, 'mallory')
    const answer = await mallory.post('/signout')
    const { searchParams } = new URL(answer.headers.get('location') ?? '')
    return { path: `/signout/return?state=${searchParams.get('state')}` }
  },
  'POST backchannel-logout/oauth': async (world, mallory) => {
    await comeFrom(world, mallory, 'mallory')
    const iat = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    // Of his session alone: what names him has his own account forget a token, whoever brings it.
    const about = { iss: world.openId.issuer, aud: CLIENT_ID, sid: 'at mallory', jti: '1', events }
    const logout_token = await world.openId.sign({ ...about, iat, exp: iat + 60 })
    return { path: '/backchannel-logout/vouching', fields: { logout_token } }
  },
  'GET frontchannel-logout/oauth': async (world, mallory) => {
    await comeFrom(world, mallory, 'mallory')
    const { issuer } = world.openId
    return { path: '/frontchannel-logout/vouching', fields: { iss: issuer, sid: 'at mallory' } }
  },
  'GET assets': () => ({ path: '/assets/none.js' }),
  'GET error': () => ({ path: '/error', fields: { error: 'AccessDenied' } }),
  'GET verify-request': () => ({ path: '/verify-request', fields: { provider: 'mail' } }),
}

/** Mallory has agreed at a provider, in an attempt of his own. */
async function answerOfProvider(world: World, mallory: Visitor): Promise<Forged> {
  const started = await mallory.post('/signin/vouching')
  const url = new URL(started.headers.get('location') ?? '')
  const back = world.agree('vouching', url, 'mallory', ADDRESS.mallory)
  return { path: `/callback/vouching${back.search}`, fields: Object.fromEntries(back.searchParams) }
}

/** Mallory has had a link sent to himself. */
async function linkToMallory(world: World, mallory: Visitor): Promise<Forged> {
  await mallory.post('/signin/mail', { email: ADDRESS.mallory })
  const { searchParams } = world.links.at(-1)?.url ?? new URL(ORIGIN)
  return { path: '/callback/mail', fields: Object.fromEntries(searchParams) }
}

/** Mallory has had a link sent to himself to choose a password by, and chooses it. */
async function passwordLinkToMallory(world: World, mallory: Visitor): Promise<Forged> {
  await mallory.post('/password/forgot', { email: ADDRESS.mallory })
  const { searchParams } = world.passwordLinks.at(-1)?.url ?? new URL(ORIGIN)
  const fields = { ...Object.fromEntries(searchParams), password: SECRETS.mallory[0] }
  return { path: '/callback/kept', fields }
}

async function optionsFor(visitor: Visitor, query: Record<string, string>): Promise<Options> {
  const asked = await visitor.get(`/webauthn-options/passkey?${new URLSearchParams(query)}`)
  return ((await asked.json()) as { options: Options }).options
}

/** Mallory's passkey, used for a challenge that he asked for. */
async function useOf({ devices }: World, mallory: Visitor): Promise<string> {
  const options = await optionsFor(mallory, { action: 'authenticate' })
  return JSON.stringify(devices.mallory.get(options))
}

/** Where a request says that it comes from. */
const ELSEWHERE = {
  'a form of another site': {
    method: 'POST',
    headers: { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  },
  'a form of a neighbouring host that names no origin': {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-site' },
  },
  'a link on another site': { method: 'GET', headers: { 'sec-fetch-site': 'cross-site' } },
} as const

const OWN_PAGE = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }

function send(
  visitor: Visitor,
  { path, fields = {} }: Forged,
  method: 'GET' | 'POST',
  headers: Record<string, string>,
  csrfToken: string,
): Promise<Response> {
  const body = new URLSearchParams({ ...fields, csrfToken })
  if (method === 'POST') return visitor.send(path, { method, headers, body })
  return visitor.send(path.includes('?') ? path : `${path}?${body}`, { headers })
}

/** Two people and a store: Mallory has every way in, and Ann is signed in or not. */
async function setUp(isSignedIn: boolean) {
  const world = await createWorld({
    strategy: 'database',
    methods: 'ours',
    email: true,
    linksSignInAtOnce: true,
    logoutReaches: true,
  })
  const { 'ann 1': ann, 'ann 2': elsewhere, 'mallory 1': mallory } = world.browsers
  await comeFrom(world, mallory, 'mallory')
  const options = await optionsFor(mallory, { action: 'register' })
  const data = JSON.stringify(world.devices.mallory.create(options))
  await mallory.post('/callback/passkey', { action: 'register', data })
  world.passwords.set('mallory', (await userIn(mallory)) ?? '')
  await mallory.post('/signout')
  if (isSignedIn) for (const each of [ann, elsewhere]) await comeFrom(world, each, 'ann')
  return { world, ann, mallory }
}

async function comeFrom(world: World, visitor: Visitor, who: 'ann' | 'mallory'): Promise<void> {
  const started = await visitor.post('/signin/vouching')
  const url = new URL(started.headers.get('location') ?? '')
  await visitor.send(world.agree('vouching', url, who, ADDRESS[who]).href)
}

/** Who a browser is signed in as, and all that the application has stored or sent. */
async function stateOf(
  { store, userIds, links, passwordLinks }: World,
  visitor: Visitor,
): Promise<unknown> {
  const users = [...userIds].map(async id => ({
    user: await store.getUser(id),
    accounts: await store.listAccounts(id),
    passkeys: await store.listAuthenticatorsByUserId(id),
    password: await store.passwords.get(id),
    sessions: await store.listSessions(id),
  }))
  return {
    user: await userIn(visitor),
    session: visitor.cookies.get('__Secure-authjs.session-token'),
    users: await Promise.all(users),
    mails: links.length + passwordLinks.length,
  }
}

/** What a neighbouring host could plant if the cookies of attempts had no `__Host-` name. */
function plant(from: Visitor, to: Visitor): void {
  for (const [name, value] of from.cookies) {
    if (/authjs\.(?:state|challenge|email-request)/.test(name)) to.cookies.set(name, value)
  }
}

async function doorOf(key: string, world: World, mallory: Visitor): Promise<Forged> {
  const door = DOORS[key]
  if (!door) throw new Error(`Say in this test how a stranger could misuse ${key}.`)
  return door(world, mallory)
}

function methodOf(key: string): 'GET' | 'POST' {
  return key.startsWith('POST') ? 'POST' : 'GET'
}

describe('the table of endpoints in the documentation', () => {
  it('has exactly the endpoints that there are, and what protects each', async () => {
    const document = new URL('../../../../docs/reference/endpoints.md', import.meta.url)
    const rows = (await readFile(document, 'utf8')).matchAll(
      /^\| `(GET|POST) \/([^`]+)` \|.*\| ([^|]+) \|$/gm,
    )
    const written = [...rows].map(([, method, path, protection]) => [
      `${method} ${path?.replace('/:', '/')}`,
      protection,
    ])
    expect(Object.fromEntries(written)).toEqual(PROTECTIONS)
    expect(written).toHaveLength(KEYS.length)
  })
})

const OWN_FORMS = KEYS.filter(key => PROTECTIONS[key] === 'own form')

describe.each([
  { whose: 'of somebody who is signed in', isSignedIn: true },
  { whose: 'of a visitor', isSignedIn: false },
])('in a browser $whose', ({ isSignedIn }) => {
  // In one world, since it has to be the same after each request.
  it.each(KEYS)('a page elsewhere changes nothing by %s', async key => {
    const { world, ann, mallory } = await setUp(isSignedIn)
    for (const [from, { method, headers }] of Object.entries(ELSEWHERE)) {
      const own = new Map(ann.cookies)
      for (const isPlanted of [false, true]) {
        const forged = await doorOf(key, world, mallory)
        const csrfToken = await ann.csrfToken()
        if (isPlanted) plant(mallory, ann)
        const before = await stateOf(world, ann)
        const answer = await send(ann, forged, method, headers, csrfToken)
        const when = `${from}, ${isPlanted ? 'with' : 'without'} planted cookies`
        expect(await stateOf(world, ann), when).toEqual(before)
        if (isSignedIn && method === 'POST' && !isPlanted && OWN_FORMS.includes(key)) {
          expectRefusal(key, answer, when)
        }
      }
      // The next page finds the cookies as this one did.
      ann.cookies.clear()
      for (const [name, value] of own) ann.cookies.set(name, value)
    }
  })
})

/** A form of our own is refused elsewhere, and leaves no cookie but where to return to. */
function expectRefusal(key: string, answer: Response, when: string): void {
  const [cookie, ...others] = answer.headers.getSetCookie()
  expect(cookie ?? '', when).toMatch(/^$|^__Secure-authjs\.callback-url=/)
  expect(others, when).toEqual([])
  if (/^POST (?:session|accounts)/.test(key)) expect(answer.status, when).toBe(400)
  else {
    expect(answer.headers.get('location'), when).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
  }
}

// Otherwise the requests above could be without effect for any reason.
describe('the same request in the browser that it was made for', () => {
  it.each(KEYS.filter(key => PROTECTIONS[key] !== 'reads'))('has an effect by %s', async key => {
    const { world, mallory } = await setUp(false)
    if (/^POST (?:signout|session|accounts)/.test(key)) {
      const { 'mallory 2': elsewhere } = world.browsers
      for (const each of [mallory, elsewhere]) await comeFrom(world, each, 'mallory')
    }
    const forged = await doorOf(key, world, mallory)
    const csrfToken = await mallory.csrfToken()
    const before = await stateOf(world, mallory)
    const answer = await send(mallory, forged, methodOf(key), OWN_PAGE, csrfToken)
    const after = await stateOf(world, mallory)
    const isChanged = JSON.stringify(after) !== JSON.stringify(before)
    expect(isChanged || answer.headers.getSetCookie().length > 0).toBe(true)
  })
})
