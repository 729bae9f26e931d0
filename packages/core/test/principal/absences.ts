import { encode } from '@siteauth/core/jwt'
import type { PrincipalAbsence } from '../../src/lib/principal/principal.ts'
import { rotate, SECRET, Visitor } from '../visitor.ts'
import { AGES, ANN, CARL, SESSION_COOKIE, type Setting, type World } from './world.ts'

/** A way in which the session of the first browser stops being a principal. */
export interface Absence {
  /** Which settings it can happen in. All if missing. */
  readonly appliesTo?: (setting: Setting) => boolean
  end(world: World): Promise<void> | void
}

/** Several events lead to one reason; the table has a row for each. */
export type AbsenceName =
  | PrincipalAbsence
  | 'sealed with another secret'
  | 'past its absolute age'
  | 'user revoked'
  | 'replaced half a minute ago'
  | 'another audience'
  | 'user deleted'
  | 'store down'
  | "another's beside it"
  | "another's in front of it"

const isJwt = ({ strategy }: Setting) => strategy === 'jwt'

/** Those that leave Ann's session as it is: the request is hers and another user's. */
export const CONTESTED: readonly AbsenceName[] = ["another's beside it", "another's in front of it"]

export const ABSENCES: Readonly<Record<AbsenceName, Absence>> = {
  no_credential: {
    end: ({ browser }) => void browser.cookies.delete(SESSION_COOKIE),
  },
  unknown: {
    end: ({ browser }) => void browser.cookies.set(SESSION_COOKIE, 'not-a-session'),
  },
  'sealed with another secret': {
    end: world => signInElsewhere(world, { secret: 'another secret that is long enough!' }),
    appliesTo: isJwt,
  },
  expired: {
    end: world => pass(world, AGES.maxAge + 20),
  },
  'past its absolute age': {
    async end(world) {
      pass(world, AGES.maxAge - 50)
      await world.browser.session() // renews it
      pass(world, AGES.absoluteAge + 20 - (AGES.maxAge - 50))
      await world.other.session()
    },
  },
  revoked: {
    async end(world) {
      await copyOf(world).post('/signout')
    },
  },
  'user revoked': {
    end: ({ auth, annId }) => auth.users.endSessions(annId),
  },
  replaced: {
    async end(world) {
      await rotate(world.auth, copyOf(world))
    },
  },
  'replaced half a minute ago': {
    async end(world) {
      await rotate(world.auth, copyOf(world))
      pass(world, 31)
    },
  },
  declined: {
    end({ faults }) {
      faults.jwtIsNull = true
    },
    appliesTo: isJwt,
  },
  hidden: {
    end({ faults }) {
      faults.sessionIsNull = true
    },
  },
  no_user: {
    async end({ browser, clock }) {
      const token = { name: ANN.name, email: ANN.email, iat: Math.floor(clock.now / 1000) }
      const cookie = await encode({ token, secret: SECRET, salt: SESSION_COOKIE, maxAge: 60 })
      browser.cookies.set(SESSION_COOKIE, cookie)
    },
    appliesTo: isJwt,
  },
  'another audience': {
    end: world =>
      signInElsewhere(world, { session: { strategy: world.setting.strategy, audience: 'other' } }),
  },
  'user deleted': {
    async end({ store, annId }) {
      await store.deleteUser(annId)
    },
  },
  'store down': {
    end(world) {
      world.faults.storeFails = true
      pass(world, 31) // what the process has read is too old then
    },
  },
  "another's beside it": {
    end: world => contest(world, (own, another) => `${own}; ${another}`),
  },
  "another's in front of it": {
    end: world => contest(world, (own, another) => `${another}; ${own}`),
  },
}

/** Another host sets the session cookie of Carl, whose name is the same. */
async function contest(
  world: World,
  place: (own: string, another: string) => string,
): Promise<void> {
  const { auth, agree, browser, store } = world
  const [carl, other] = [new Visitor(auth.handle), new Visitor(auth.handle)]
  for (const each of [carl, other]) {
    await each.send(agree(await each.post('/signin/first'), CARL.sub).href)
  }
  const userId = (await store.getUserByEmail(CARL.email))?.id
  const cookie = carl.cookies.get(SESSION_COOKIE)
  if (!userId || !cookie) throw new Error('Carl is not signed in')
  // A second account, so that one can be unlinked.
  const [first] = await store.listAccounts(userId)
  await store.linkAccount({ ...first, type: 'oidc', ...CARL.second, userId })
  world.beside = { userId, other }
  const own = browser.cookieHeader.bind(browser)
  browser.cookieHeader = () => place(own(), `${SESSION_COOKIE}=${cookie}`)
}

function pass({ clock }: World, seconds: number): void {
  clock.now += seconds * 1000
}

/** The same cookies in a second copy of the browser. */
function copyOf({ auth, browser }: World): Visitor {
  const copy = new Visitor(auth.handle)
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** Gives the browser a session of Ann's that another configuration over the same store has issued. */
async function signInElsewhere(
  world: World,
  config: Parameters<World['configured']>[0],
): Promise<void> {
  const elsewhere = new Visitor(world.configured(config).handle)
  await elsewhere.send(world.agree(await elsewhere.post('/signin/first'), ANN.sub).href)
  const cookie = elsewhere.cookies.get(SESSION_COOKIE)
  if (!cookie) throw new Error('no session elsewhere')
  world.browser.cookies.set(SESSION_COOKIE, cookie)
}
