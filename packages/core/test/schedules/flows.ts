import type { AuthInstance } from '@siteauth/core'
import { AccessTokenError } from '@siteauth/core/errors'
import {
  agreeAt,
  askForLink,
  choosePassword,
  resetPassword,
  signIn,
  usePasskey,
} from '../accounts/steps.ts'
import {
  ADDRESS,
  hasher,
  type Person,
  type ProviderId,
  SECRETS,
  type World,
} from '../accounts/world.ts'
import { requestOf } from '../devices/people.ts'
import { rotate, type Visitor } from '../visitor.ts'

// Whatever two people can do about one address, each as a request that is prepared, and then sent.

/** What is stored when the flows begin. */
export const STATES = ['nobody is there', 'Mallory sits there', 'Ann is there'] as const
export type State = (typeof STATES)[number]

/** What came of a flow. */
export interface Result {
  /** The status, and what the response says. */
  readonly said: string
  /** Browsers whose sessions have ended, as the flow was told. */
  readonly ended?: readonly Visitor[]
  /** Whether one session was ended by its handle. */
  readonly isOne?: boolean
  /** The account that was unlinked. */
  readonly unlinked?: { readonly provider: ProviderId; readonly providerAccountId: Person }
  /** The access token of a provider. */
  readonly token?: string
}

/** The world in which a flow is prepared. */
export interface Scene {
  readonly world: World
  /** The browser of each flow. */
  readonly browsers: readonly Visitor[]
  /** The people of the flows. */
  readonly people: readonly Person[]
}

/** Where a flow is prepared. */
interface Place {
  readonly scene: Scene
  readonly slot: number
  readonly world: World
  readonly auth: AuthInstance
  readonly browser: Visitor
  readonly who: Person
}

export interface Flow {
  readonly who: Person
  readonly states: readonly State[]
  /** Whether the browser is signed in before. */
  readonly isSignedIn: boolean
  /** Whether the browser may get another session: by a proof, or because an account was added to the one that it has. */
  readonly gets: 'a session by a proof' | 'another session' | 'nothing'
  /** Returns how to send the request. */
  readonly prepare: (place: Place) => Promise<() => Promise<Result>>
}

const EVERYWHERE = STATES
const OWNED: readonly State[] = ['Mallory sits there', 'Ann is there']

export const FLOWS = {
  'Ann comes from a provider that may link': signingIn('ann', EVERYWHERE, place =>
    from(place, 'vouching'),
  ),
  'Ann comes from one that may not': signingIn('ann', EVERYWHERE, place => from(place, 'careful')),
  'Ann opens a link': signingIn('ann', EVERYWHERE, async ({ world, browser, who }) =>
    saying(await askForLink(world, browser, who)),
  ),
  'Ann types a code': signingIn('ann', EVERYWHERE, async ({ world, browser }) => {
    await browser.post('/signin/mail', { email: ADDRESS.ann })
    const { code = '' } = world.links.at(-1) ?? {}
    return saying(() => browser.post('/signin/mail', { code }))
  }),
  'Ann signs up with a password': signingIn(
    'ann',
    ['nobody is there', 'Mallory sits there'],
    place => choosing(place, 'sign-up'),
  ),
  'Ann resets her password': signingIn('ann', OWNED, place => choosing(place, 'forgot')),
  'Ann types her password': signingIn('ann', ['Ann is there'], typing),
  'Ann uses a passkey': signingIn('ann', ['Ann is there'], place => passkey(place, 'authenticate')),
  'Ann changes her password': changing('ann', ['Ann is there']),
  'Ann removes her password': signedIn('ann', ['Ann is there'], async ({ browser }) =>
    saying(() => browser.post('/password/remove', { currentPassword: SECRETS.ann[0] })),
  ),
  'Ann links an account': adding('ann', ['Ann is there'], place => from(place, 'loose')),
  'Ann adds a passkey': adding('ann', ['Ann is there'], place => passkey(place, 'register')),
  'Ann unlinks an account': signedIn('ann', ['Ann is there'], place => unlinking(place, 'careful')),
  'Ann calls a provider': signedIn('ann', ['Ann is there'], place => refreshing(place, 'careful')),
  'Ann rotates her session': signedIn('ann', ['Ann is there'], rotating),
  'Ann ends a session': signedIn('ann', ['Ann is there'], endingOne),
  'Ann ends the others': signedIn('ann', ['Ann is there'], endingOthers),
  'Ann signs out': signedIn('ann', ['Ann is there'], signingOut),
  'Mallory signs in with her address': signingIn('mallory', EVERYWHERE, place =>
    from(place, 'loose', ADDRESS.ann),
  ),
  'Mallory uses a passkey': signingIn('mallory', ['Mallory sits there'], place =>
    passkey(place, 'authenticate'),
  ),
  'Mallory types a password': signingIn('mallory', ['Mallory sits there'], typing),
  'Mallory links an account': adding('mallory', OWNED, place => from(place, 'careful')),
  'Mallory adds a passkey': adding('mallory', OWNED, place => passkey(place, 'register')),
  'Mallory changes the password': changing('mallory', ['Mallory sits there']),
  'Mallory unlinks an account': signedIn('mallory', ['Mallory sits there'], place =>
    unlinking(place, 'loose'),
  ),
  'Mallory calls a provider': signedIn('mallory', ['Mallory sits there'], place =>
    refreshing(place, 'loose'),
  ),
  'Mallory rotates the session': signedIn('mallory', ['Mallory sits there'], rotating),
  'Mallory ends the others': signedIn('mallory', OWNED, endingOthers),
  'Mallory signs out': signedIn('mallory', ['Mallory sits there'], signingOut),
} satisfies Record<string, Flow>
export type FlowName = keyof typeof FLOWS

/** Every flow that there is in a state. */
export function flowsIn(state: State): readonly FlowName[] {
  const names = Object.keys(FLOWS) as FlowName[] // as declared above
  return names.filter(name => FLOWS[name].states.includes(state))
}

/** Makes a state. What browsers have is in the world. */
export async function begin(world: World, state: State): Promise<void> {
  const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
  if (state === 'Mallory sits there') {
    // As a table that was taken over has them: a password, and an address that nobody has proved.
    const user = { id: crypto.randomUUID(), email: ADDRESS.ann, emailVerified: null }
    await world.store.createUser(user)
    world.userIds.add(user.id)
    const hash = await hasher.hash(SECRETS.mallory[0])
    await world.store.passwords.set({ userId: user.id, hash, changedAt: new Date() })
    await enter(world, mallory, 'mallory', state)
    await mallory.send((await agreeAt(world, mallory, 'loose', 'mallory', ADDRESS.ann)).href)
    await (await usePasskey(world, mallory, 'mallory', 'register', 'ann'))?.()
  }
  if (state === 'Ann is there') {
    await resetPassword(world, ann, 'ann')
    await ann.send((await agreeAt(world, ann, 'careful', 'ann')).href)
    await (await usePasskey(world, ann, 'ann', 'register'))?.()
    await enter(world, mallory, 'mallory', state)
  }
}

/** Signs somebody in as the user that they have. */
export async function enter(
  world: World,
  browser: Visitor,
  who: Person,
  state: State,
): Promise<void> {
  if (who === 'mallory' && state === 'Ann is there')
    await signIn(world, browser, 'loose', 'mallory', ADDRESS.mallory)
  else await browser.post('/signin/kept', { email: ADDRESS.ann, password: SECRETS[who][0] })
}

function signingIn(who: Person, states: readonly State[], prepare: Flow['prepare']): Flow {
  return { who, states, isSignedIn: false, gets: 'a session by a proof', prepare }
}

function signedIn(who: Person, states: readonly State[], prepare: Flow['prepare']): Flow {
  return { who, states, isSignedIn: true, gets: 'nothing', prepare }
}

function adding(who: Person, states: readonly State[], prepare: Flow['prepare']): Flow {
  return { who, states, isSignedIn: true, gets: 'another session', prepare }
}

function saying(send: () => Promise<Response>): () => Promise<Result> {
  return async () => ({ said: sentence(await send()) })
}

/** What a response says, without what differs from one to the next. */
function sentence({ status, headers }: Response): string {
  const location = headers.get('location')
  if (location === null) return String(status)
  const { pathname, searchParams } = new URL(location, 'https://app.example.com')
  const texts = ['error', 'code'].flatMap(name => searchParams.get(name) ?? [])
  return [status, pathname, ...texts].join(' ')
}

async function from(
  { world, browser, who }: Place,
  provider: ProviderId,
  address?: string,
): Promise<() => Promise<Result>> {
  const back = await agreeAt(world, browser, provider, who, address)
  return saying(() => browser.send(back.href))
}

async function passkey({ world, browser, who }: Place, action: 'register' | 'authenticate') {
  const answer = await usePasskey(world, browser, who, action, 'ann')
  return answer ? saying(answer) : async () => ({ said: 'nobody is asked for one' })
}

async function choosing({ world, browser, who }: Place, wish: 'sign-up' | 'forgot') {
  await browser.post(`/password/${wish}`, { email: ADDRESS[who] })
  const { url } = world.passwordLinks.at(-1) ?? {}
  // Somebody with a password who signs up is told so by mail.
  if (!url) return async () => ({ said: 'no link was sent' })
  return saying(() => choosePassword(browser, url, SECRETS[who][1]))
}

async function typing({ browser, who }: Place) {
  const fields = { email: ADDRESS.ann, password: SECRETS[who][0] }
  return saying(() => browser.post('/signin/kept', fields))
}

function changing(who: Person, states: readonly State[]): Flow {
  const prepare: Flow['prepare'] = async place => {
    const [currentPassword, newPassword] = SECRETS[who]
    return async () => {
      const response = await place.browser.post('/password', { currentPassword, newPassword })
      const said = sentence(response)
      return { said, ...(isRefused(response) ? {} : { ended: othersOf(place) }) }
    }
  }
  return { who, states, isSignedIn: true, gets: 'a session by a proof', prepare }
}

function isRefused({ status, headers }: Response): boolean {
  return status >= 400 || /[?&](error|code)=/.test(headers.get('location') ?? '')
}

/** The browsers of the same person in which somebody was signed in before. */
function othersOf({ scene, slot, who }: Place): Visitor[] {
  const { world, browsers, people } = scene
  return [
    world.browsers[`${who} 1`],
    ...browsers.filter((_, other) => other !== slot && people[other] === who),
  ]
}

async function unlinking(
  { browser, who }: Place,
  provider: ProviderId,
): Promise<() => Promise<Result>> {
  return async () => {
    const response = await browser.postJson('/accounts/unlink', { provider, accountId: who })
    const body = (await response.json()) as { unlinked?: boolean; reason?: string }
    const said = `${response.status} ${body.unlinked} ${body.reason}`
    return { said, ...(body.unlinked && { unlinked: { provider, providerAccountId: who } }) }
  }
}

/** Somebody calls a provider that takes their access token no more. */
async function refreshing(
  { auth, browser }: Place,
  provider: ProviderId,
): Promise<() => Promise<Result>> {
  const rejectedToken = await tokenOf(auth, browser, provider)
  return async () => {
    const token = await tokenOf(auth, browser, provider, rejectedToken)
    return token.startsWith('token of') ? { said: 'a token', token } : { said: token }
  }
}

/** An access token, or the code of the error. */
async function tokenOf(
  auth: AuthInstance,
  browser: Visitor,
  provider: ProviderId,
  rejectedToken?: string,
): Promise<string> {
  try {
    const options = rejectedToken === undefined ? {} : { rejectedToken }
    return (await auth.accounts.getAccessToken(requestOf(browser), provider, options)).accessToken
  } catch (error) {
    if (error instanceof AccessTokenError) return error.code
    throw error
  }
}

async function rotating({ auth, browser }: Place) {
  return async () => ({ said: (await rotate(auth, browser)) ? 'rotated' : 'no session' })
}

async function endingOne(place: Place): Promise<() => Promise<Result>> {
  const target = othersOf(place).at(-1) as Visitor
  const list = (await (await target.get('/sessions')).json()) as {
    readonly handle: string
    readonly isCurrent: boolean
  }[]
  const { handle = '' } = list.find(({ isCurrent }) => isCurrent) ?? {}
  const end = ending(place, { handle }, [target])
  return async () => ({ ...(await end()), isOne: true })
}

async function endingOthers(place: Place) {
  return ending(place, { others: true }, othersOf(place))
}

function ending(
  { browser }: Place,
  wish: Record<string, unknown>,
  targets: readonly Visitor[],
): () => Promise<Result> {
  return async () => {
    const response = await browser.postJson('/sessions/end', wish)
    const { ended } = (await response.json()) as { ended?: boolean }
    return { said: `${response.status} ${ended}`, ...(ended && { ended: targets }) }
  }
}

async function signingOut({ browser }: Place): Promise<() => Promise<Result>> {
  return async () => {
    const response = await browser.post('/signout')
    return { said: sentence(response), ...(isRefused(response) ? {} : { ended: [browser] }) }
  }
}
