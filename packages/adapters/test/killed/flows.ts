import {
  agreeAt,
  askForLink,
  choosePassword,
  openLink,
  signIn,
  typeCode,
  usePasskey,
} from '../../../core/test/accounts/steps.ts'
import {
  ADDRESS,
  type ProviderId,
  SECRETS,
  userIn,
  type World,
} from '../../../core/test/accounts/world.ts'
import type { Visitor } from '../../../core/test/visitor.ts'
import {
  callFor,
  settle,
  settleWithIntruder,
  settleWithKnownPassword,
  squat,
  typePassword,
} from './people.ts'

/** Something that writes, during which the process is killed. */
export interface Flow {
  /** What was there before. Returns the request. */
  prepare(world: World, clock: Clock): Promise<() => Promise<unknown>>
  /**
   * What the owner does after that, one after another until it works: what a page says, or what anybody would do. Each returns as
   * which user she is in then, or null if it did not work.
   */
  readonly attempts: readonly Attempt[]
  /** The application sends no links: then passkeys sign up with an address that is typed. */
  readonly withoutLinks?: boolean
  /** Mallory has this way in until the flow is complete, and does not use it before. */
  readonly waits?: boolean
}

type Attempt = (world: World, clock: Clock) => Promise<string | null>

/** The clock of the application, in milliseconds since 1970. */
export interface Clock {
  now: number
}

const ann = (world: World) => world.browsers['ann 1']

const back = async (
  world: World,
  browser: Visitor,
  provider: ProviderId,
  who: 'ann' | 'mallory',
) => {
  const url = await agreeAt(world, browser, provider, who)
  return () => browser.send(url.href)
}

const SIGN_UPS: Readonly<Record<string, Flow>> = {
  'sign-up with a provider': {
    prepare: world => back(world, ann(world), 'vouching', 'ann'),
    attempts: [world => signIn(world, ann(world), 'vouching', 'ann')],
  },
  'sign-up with a provider that checks no address': {
    prepare: world => back(world, ann(world), 'loose', 'ann'),
    // Mallory may be there first, as he may at any time. Then she proves that the address is hers.
    attempts: [world => signIn(world, ann(world), 'loose', 'ann'), byNewLink],
  },
  'sign-up by email': {
    prepare: world => askForLink(world, ann(world), 'ann'),
    attempts: [pressAgain, byNewLink],
  },
  'sign-up by code': { prepare: askForCode, attempts: [typeAgain, byNewCode] },
  'sign-up with a password': {
    async prepare(world) {
      await ann(world).post('/password/sign-up', { email: ADDRESS.ann })
      return () => choosePassword(ann(world), passwordLink(world), SECRETS.ann[1])
    },
    attempts: [chooseAgain, resetPassword],
  },
  'sign-up with a passkey': {
    async prepare(world) {
      return (await usePasskey(world, ann(world), 'ann', 'register')) ?? (async () => {})
    },
    attempts: [
      async world => (await passkey(world, 'authenticate')) ?? (await registerAnew(world)),
      // As above.
      world => signIn(world, ann(world), 'vouching', 'ann'),
    ],
    withoutLinks: true,
  },
}

const SIGN_INS: Readonly<Record<string, Flow>> = {
  'sign-in with a provider': {
    async prepare(world) {
      await settle(world)
      return back(world, world.browsers['ann 2'], 'vouching', 'ann')
    },
    attempts: [world => signIn(world, world.browsers['ann 2'], 'vouching', 'ann')],
  },
  'sign-in with credentials of the application': {
    async prepare(world) {
      world.passwords.set('ann', await settle(world))
      return () => world.browsers['ann 2'].post('/callback/password', { who: 'ann' })
    },
    attempts: [
      async world => {
        await world.browsers['ann 2'].post('/callback/password', { who: 'ann' })
        return userIn(world.browsers['ann 2'])
      },
    ],
  },
  'sign-in with a password': {
    async prepare(world) {
      await settle(world, SECRETS.ann[1])
      return () => typePassword(world.browsers['ann 2'], SECRETS.ann[1])
    },
    attempts: [world => typePassword(world.browsers['ann 2'], SECRETS.ann[1])],
  },
  'sign-in with a passkey': {
    async prepare(world) {
      await settle(world)
      await (await usePasskey(world, ann(world), 'ann', 'register'))?.()
      const answer = await usePasskey(world, world.browsers['ann 2'], 'ann', 'authenticate')
      return answer ?? (async () => {})
    },
    attempts: [world => passkey(world, 'authenticate')],
  },
}

const ATTACHING: Readonly<Record<string, Flow>> = {
  'link by the owner': {
    async prepare(world) {
      await settle(world)
      return back(world, ann(world), 'careful', 'ann')
    },
    attempts: [
      async world => {
        await signIn(world, ann(world), 'careful', 'ann')
        return signIn(world, world.newBrowser(), 'careful', 'ann')
      },
    ],
  },
  'link by an attacker': {
    async prepare(world) {
      await signIn(world, world.browsers['mallory 1'], 'loose', 'mallory', ADDRESS.ann)
      return back(world, world.browsers['mallory 1'], 'careful', 'mallory')
    },
    attempts: [byNewLink],
  },
  'passkey by the owner': {
    async prepare(world) {
      await settle(world)
      return (await usePasskey(world, ann(world), 'ann', 'register')) ?? (async () => {})
    },
    attempts: [
      world => passkey(world, 'authenticate'),
      async world => {
        forgetPasskeys(world)
        await (await usePasskey(world, ann(world), 'ann', 'register'))?.()
        return passkey(world, 'authenticate')
      },
    ],
  },
  'passkey by an attacker': {
    async prepare(world) {
      const { 'mallory 1': mallory } = world.browsers
      await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
      const answer = await usePasskey(world, mallory, 'mallory', 'register', 'ann')
      return answer ?? (async () => {})
    },
    attempts: [byNewLink],
  },
}

const CLAIMS: Readonly<Record<string, Flow>> = {
  'claim by link': {
    async prepare(world) {
      await squat(world)
      return askForLink(world, ann(world), 'ann')
    },
    attempts: [pressAgain, byNewLink],
  },
  'claim by code': {
    async prepare(world) {
      await squat(world)
      return askForCode(world)
    },
    attempts: [typeAgain, byNewCode],
  },
  'claim by a provider': {
    async prepare(world) {
      await squat(world)
      return back(world, ann(world), 'vouching', 'ann')
    },
    attempts: [world => signIn(world, ann(world), 'vouching', 'ann')],
  },
  'claim by a provider that may not link': {
    async prepare(world) {
      await squat(world)
      return back(world, ann(world), 'careful', 'ann')
    },
    attempts: [world => signIn(world, ann(world), 'careful', 'ann')],
  },
  'claim by password': {
    async prepare(world) {
      await squat(world)
      await ann(world).post('/password/forgot', { email: ADDRESS.ann })
      return () => choosePassword(ann(world), passwordLink(world), SECRETS.ann[1])
    },
    attempts: [chooseAgain, resetPassword],
  },
}

const PASSWORDS: Readonly<Record<string, Flow>> = {
  'password change': {
    async prepare(world) {
      await settleWithKnownPassword(world)
      return () => changePassword(world)
    },
    attempts: [
      // The response was lost: was it changed?
      world => typePassword(world.browsers['ann 2'], SECRETS.ann[1]),
      // Neither the old one nor the new one works in between.
      resetPassword,
    ],
  },
  'password reset': {
    async prepare(world) {
      await settleWithKnownPassword(world)
      const browser = world.browsers['ann 2']
      await browser.post('/password/forgot', { email: ADDRESS.ann })
      return () => choosePassword(browser, passwordLink(world), SECRETS.ann[1])
    },
    attempts: [world => typePassword(world.browsers['ann 2'], SECRETS.ann[1]), resetPassword],
  },
  'password removal': {
    async prepare(world) {
      await settle(world, SECRETS.ann[0])
      return () => removePassword(world)
    },
    attempts: [
      async world => {
        await removePassword(world)
        return signIn(world, ann(world), 'vouching', 'ann')
      },
    ],
    waits: true,
  },
}

const UNLINKED = { provider: 'careful', accountId: 'mallory' }

const SESSIONS: Readonly<Record<string, Flow>> = {
  unlink: {
    async prepare(world) {
      const userId = await settle(world)
      await world.store.linkAccount({
        userId,
        type: 'oauth',
        provider: UNLINKED.provider,
        providerAccountId: UNLINKED.accountId,
      })
      return () => ann(world).post('/accounts/unlink', UNLINKED)
    },
    attempts: [
      async world => {
        await ann(world).post('/accounts/unlink', UNLINKED)
        return signIn(world, world.browsers['ann 2'], 'vouching', 'ann')
      },
    ],
    waits: true,
  },
  'end one session': {
    async prepare(world) {
      await settleWithIntruder(world)
      const handle = await otherHandle(world)
      return () => ann(world).post('/sessions/end', { handle })
    },
    attempts: [
      async world => {
        const handle = await otherHandle(world)
        if (handle) await ann(world).post('/sessions/end', { handle })
        return userIn(ann(world))
      },
    ],
  },
  'end other sessions': {
    async prepare(world) {
      await settleWithIntruder(world)
      return () => ann(world).post('/sessions/end', { others: 'true' })
    },
    attempts: [
      async world => {
        await ann(world).post('/sessions/end', { others: 'true' })
        return userIn(ann(world))
      },
    ],
  },
  'end all sessions': {
    async prepare(world) {
      const userId = await settleWithIntruder(world)
      return () => world.auth.users.endSessions(userId)
    },
    attempts: [
      async world => {
        await world.auth.users.endSessions(await annsUser(world))
        return signIn(world, ann(world), 'vouching', 'ann')
      },
    ],
  },
  'revoke access': {
    async prepare(world) {
      const userId = await settleWithIntruder(world)
      return () => world.auth.users.revokeAccess(userId)
    },
    attempts: [
      async world => {
        await world.auth.users.revokeAccess(await annsUser(world))
        return signIn(world, ann(world), 'vouching', 'ann')
      },
    ],
  },
  'sign-out': {
    async prepare(world) {
      await settle(world)
      steal(world)
      return () => ann(world).post('/signout')
    },
    attempts: [
      async world => {
        await ann(world).post('/signout')
        return signIn(world, ann(world), 'vouching', 'ann')
      },
    ],
  },
  rotate: {
    async prepare(world) {
      await settle(world)
      steal(world)
      return () => rotate(world)
    },
    attempts: [
      async world => ((await rotate(world)) ? userIn(ann(world)) : null),
      // For 30 seconds, somebody else may be doing it. Then she may have been signed out, and is asked to sign in.
      async (world, clock) => {
        clock.now += 31_000
        if (await rotate(world)) return userIn(ann(world))
        return signIn(world, ann(world), 'vouching', 'ann')
      },
    ],
  },
  refresh: {
    async prepare(world, clock) {
      shortenTokens(world)
      await settle(world)
      clock.now += 2000
      return () => token(world)
    },
    attempts: [
      async world => ((await token(world)) ? userIn(ann(world)) : null),
      // `invalid_grant`, as the provider has used the refresh token up: the guide says to sign in again.
      async world => {
        const userId = await signIn(world, ann(world), 'vouching', 'ann')
        return (await token(world)) ? userId : null
      },
    ],
  },
}

/** Every flow that writes. */
export const FLOWS: Readonly<Record<string, Flow>> = {
  ...SIGN_UPS,
  ...SIGN_INS,
  ...ATTACHING,
  ...CLAIMS,
  ...PASSWORDS,
  ...SESSIONS,
}

async function askForCode(world: World) {
  await ann(world).post('/signin/mail', { email: ADDRESS.ann })
  return () => ann(world).post('/signin/mail', { code: world.links.at(-1)?.code ?? '' })
}

async function pressAgain(world: World): Promise<string | null> {
  const { url } = world.links.at(-1) ?? {}
  if (url) await ann(world).confirmLink(url)
  return userIn(ann(world))
}

async function typeAgain(world: World): Promise<string | null> {
  await ann(world).post('/signin/mail', { code: world.links.at(-1)?.code ?? '' })
  return userIn(ann(world))
}

function byNewLink(world: World): Promise<string | null> {
  return openLink(world, ann(world), 'ann')
}

function byNewCode(world: World): Promise<string | null> {
  return typeCode(world, ann(world), 'ann')
}

function passwordLink(world: World): URL {
  const { url } = world.passwordLinks.at(-1) ?? {}
  if (!url) throw new Error('no link was sent')
  return url
}

async function chooseAgain(world: World): Promise<string | null> {
  await choosePassword(ann(world), passwordLink(world), SECRETS.ann[1])
  return userIn(ann(world))
}

async function resetPassword(world: World): Promise<string | null> {
  await ann(world).post('/password/forgot', { email: ADDRESS.ann })
  return chooseAgain(world)
}

function changePassword(world: World): Promise<unknown> {
  const [currentPassword, newPassword] = SECRETS.ann
  return ann(world).post('/password', { currentPassword, newPassword })
}

function removePassword(world: World): Promise<unknown> {
  return ann(world).post('/password/remove', { currentPassword: SECRETS.ann[0] })
}

async function passkey(world: World, action: 'register' | 'authenticate'): Promise<string | null> {
  const browser = world.newBrowser()
  await (await usePasskey(world, browser, 'ann', action))?.()
  return userIn(browser)
}

/** Ann removes the passkeys of her device that nobody knows. */
function forgetPasskeys({ devices }: World): void {
  devices.ann.keys.length = 0
}

function registerAnew(world: World): Promise<string | null> {
  forgetPasskeys(world)
  return passkey(world, 'register')
}

async function otherHandle(world: World): Promise<string> {
  const listed = await callFor(world, ann(world), request => world.auth.sessions.list(request))
  return listed.find(each => !each.isCurrent)?.handle ?? ''
}

async function annsUser(world: World): Promise<string> {
  return (await world.store.getUserByEmail(ADDRESS.ann))?.id ?? ''
}

/** Mallory has a copy of Ann’s cookies. */
function steal(world: World): void {
  for (const [name, value] of ann(world).cookies)
    world.browsers['mallory 1'].cookies.set(name, value)
}

/** Returns whether the browser has another token now. */
async function rotate(world: World): Promise<boolean> {
  const cookies = ann(world).cookieHeader()
  await callFor(world, ann(world), request => world.auth.sessions.rotate(request))
  return ann(world).cookieHeader() !== cookies
}

/** Access tokens that expire in a second. */
function shortenTokens({ openId }: World): void {
  openId.faults.tokens = tokens => ({ ...tokens, expires_in: 1 })
}

async function token(world: World): Promise<unknown> {
  const { openId } = world
  // What comes now lasts.
  delete openId.faults.tokens
  return callFor(world, ann(world), request =>
    world.auth.accounts.getAccessToken(request, 'vouching'),
  ).catch(() => null)
}
