import type { AuthInstance } from '@siteauth/core'
import { requestOf as requestIn } from '../devices/people.ts'
import { Visitor } from '../visitor.ts'
import type { Row } from './rows.ts'
import { ANN, SESSION_COOKIE, type World } from './world.ts'

/** What one request showed of Ann, and did to her. */
export interface Observed {
  /** What the response contains of hers. */
  readonly data: readonly string[]
  /** What of hers has changed in the store. */
  readonly effects: readonly string[]
  /** Whether the browser received a session of hers. */
  readonly isGivenSession: boolean
  /** The cookies that were set, and not removed, each once, and without what tells several of a kind apart. */
  readonly cookies: readonly string[]
  /** The status of the response; 'rejected' if a call was. */
  readonly status: number | 'resolved' | 'rejected'
}

/** Sends the request of a row, after the session of its browser has ended if that is so. */
export async function observe(
  world: World,
  row: Row,
  end?: (world: World) => Promise<void> | void,
): Promise<Observed> {
  const prepared = await row.prepare?.(world)
  await end?.(world)
  const before = await stateOf(world)
  const cookieBefore = world.browser.cookies.get(SESSION_COOKIE)
  world.setCookies.length = 0
  const { status, text } = await sent(() => row.send(world, prepared as never))
  const after = await stateOf(world)
  const cookie = world.browser.cookies.get(SESSION_COOKIE)
  const isNew = cookie !== undefined && cookie !== cookieBefore
  return {
    data: belongings(world).filter(each => text.includes(each)),
    effects: Object.keys(before).filter(name => before[name] !== after[name]),
    isGivenSession: isNew && (await ownerOf(world, cookie)) === world.annId,
    cookies: [...new Set(world.setCookies.flatMap(nameOfSet))],
    status,
  }
}

/** The name of a cookie that a line sets; none if it removes one. */
function nameOfSet(line: string): readonly string[] {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  const isRemoved = value === '' || /; max-age=0/i.test(line)
  return isRemoved ? [] : [name.replace(/\.(state|state-answer|challenge|tokens)\..*$/, '.$1')]
}

/** Whatever is Ann's in the store, and that of a user whose session came beside hers, apart from these sessions. */
async function stateOf(world: World): Promise<Readonly<Record<string, string>>> {
  const { annId, other, beside } = world
  const own = await stateOfUser(world, annId, other)
  const others = beside ? await stateOfUser(world, beside.userId, beside.other) : {}
  const named = Object.entries(others).map(([name, rows]) => [`${name} of the other user`, rows])
  return { ...own, ...Object.fromEntries(named) }
}

async function stateOfUser(
  world: World,
  userId: string,
  other: Visitor,
): Promise<Readonly<Record<string, string>>> {
  const { store } = world
  const sessions = await observer(world).sessions.list(requestIn(other))
  const state = {
    user: await store.getUser(userId),
    accounts: await store.listAccounts(userId),
    passkeys: await store.listAuthenticatorsByUserId(userId),
    password: await store.passwords.get(userId),
    'other session': sessions.filter(({ isCurrent }) => isCurrent).map(({ handle }) => handle),
  }
  return Object.fromEntries(
    Object.entries(state).map(([name, rows]) => [name, JSON.stringify(rows)]),
  )
}

const observers = new WeakMap<World, AuthInstance>()

/** The application without its callbacks, over the store itself, which does not fail. */
function observer(world: World): AuthInstance {
  const existing = observers.get(world)
  if (existing) return existing
  const created = createObserver(world)
  observers.set(world, created)
  return created
}

function createObserver({ store, configured, setting }: World): AuthInstance {
  return configured({
    adapter: store,
    session: { strategy: setting.strategy, ...(setting.strategy === 'jwt' && { track: true }) },
    callbacks: {
      session: ({ session, user, token }) => ({
        ...session,
        user: { ...session.user, id: user?.id ?? token?.sub },
      }),
    },
  })
}

async function ownerOf(world: World, cookie: string): Promise<unknown> {
  const visitor = new Visitor(observer(world).handle)
  visitor.cookies.set(SESSION_COOKIE, cookie)
  return ((await visitor.session()) as { user?: { id?: unknown } } | null)?.user?.id
}

async function sent(
  send: () => Promise<unknown>,
): Promise<{ readonly status: Observed['status']; readonly text: string }> {
  try {
    const value = await send()
    if (!(value instanceof Response)) {
      return { status: 'resolved', text: JSON.stringify(value) ?? '' }
    }
    const lines = [...value.headers].map(header => header.join(': '))
    return { status: value.status, text: [...lines, await value.text()].join('\n') }
  } catch (error) {
    const { cause } = error as Error
    return { status: 'rejected', text: [error, JSON.stringify(error), cause].join('\n') }
  }
}

/** Texts that are only in responses to Ann. */
function belongings({ annId, otherHandle }: World): readonly string[] {
  return [ANN.sub, ANN.name, ANN.email, annId, otherHandle, 'second-of-ann', 'at-ada', 'rt-ada']
}
