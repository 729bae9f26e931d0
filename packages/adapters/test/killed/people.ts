import { signIn, usePasskey } from '../../../core/test/accounts/steps.ts'
import { ADDRESS, hasher, SECRETS, userIn, type World } from '../../../core/test/accounts/world.ts'
import type { Visitor } from '../../../core/test/visitor.ts'

// Ann owns an address. Mallory holds a user with that address, which nobody has proved, and everything that he could attach to
// it; or he was at her unlocked computer, and knows her password.

const requestOf = (browser: Visitor) => ({
  headers: { cookie: browser.cookieHeader() },
  url: 'https://app.example.com/',
})

/** A call of the application's server for a browser, which gets the cookies. */
export async function callFor<T>(
  world: World,
  browser: Visitor,
  call: (request: ReturnType<typeof requestOf>) => Promise<T>,
): Promise<T> {
  const request = requestOf(browser)
  const result = await call(request)
  for (const line of world.auth.takeSetCookies(request)) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    browser.cookies.set(name, value)
  }
  return result
}

/** Mallory signs up with Ann’s address, and attaches everything that he can. */
export async function squat(world: World): Promise<string> {
  const { 'mallory 1': mallory, 'mallory 2': other } = world.browsers
  const userId = await signIn(world, mallory, 'loose', 'mallory', ADDRESS.ann)
  if (userId === null) throw new Error('Mallory could not sign up')
  await signIn(world, other, 'loose', 'mallory', ADDRESS.ann)
  await (await usePasskey(world, mallory, 'mallory', 'register', 'ann'))?.()
  await signIn(world, mallory, 'careful', 'mallory')
  await importPassword(world, userId, SECRETS.mallory[0])
  world.passwords.set('mallory', userId)
  return userId
}

/** Ann has a user, whose address she has proved, and perhaps a password. */
export async function settle(world: World, password?: string): Promise<string> {
  const userId = await signIn(world, world.browsers['ann 1'], 'vouching', 'ann')
  if (userId === null) throw new Error('Ann could not sign up')
  if (password) await importPassword(world, userId, password)
  return userId
}

/** Mallory knows Ann’s password, which is the first: he is signed in with it. */
export async function settleWithKnownPassword(world: World): Promise<string> {
  const userId = await settle(world, SECRETS.ann[0])
  await typePassword(world.browsers['mallory 1'], SECRETS.ann[0])
  return userId
}

async function importPassword({ store }: World, userId: string, password: string): Promise<void> {
  await store.passwords.set({ userId, hash: await hasher.hash(password), changedAt: new Date() })
}

/** Signs in to Ann’s user with a password. */
export async function typePassword(browser: Visitor, password: string): Promise<string | null> {
  await browser.post('/signin/kept', { email: ADDRESS.ann, password })
  return userIn(browser)
}

/** Mallory has a session of Ann’s: he was at her unlocked computer. */
export async function settleWithIntruder(world: World): Promise<string> {
  const userId = await settle(world)
  await signIn(world, world.browsers['mallory 1'], 'vouching', 'ann')
  return userId
}

/** As which users Mallory is in, by whatever he has: how, by the id of the user. */
export async function intrude(world: World, isThorough = true): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  const note = (userId: string | null, how: string) => {
    if (userId) found.set(userId, [...(found.get(userId) ?? []), how])
  }
  for (const name of ['mallory 1', 'mallory 2'] as const) {
    note(await userIn(world.browsers[name]), `the session of ${name}`)
  }
  for (const password of [SECRETS.mallory[0], SECRETS.ann[0]]) {
    note(await typePassword(world.newBrowser(), password), 'a password')
  }
  if (!isThorough) return found
  const byApplication = world.newBrowser()
  await byApplication.post('/callback/password', { who: 'mallory' })
  note(await userIn(byApplication), 'a password of the application')
  const byPasskey = world.newBrowser()
  await (await usePasskey(world, byPasskey, 'mallory', 'authenticate', 'mallory'))?.()
  note(await userIn(byPasskey), 'a passkey')
  note(await signIn(world, world.newBrowser(), 'careful', 'mallory'), 'an account at careful')
  note(
    await signIn(world, world.newBrowser(), 'loose', 'mallory', ADDRESS.ann),
    'an account at loose',
  )
  return found
}

/** What of Mallory’s is attached to a user. */
export async function attachedTo(world: World, userId: string): Promise<string[]> {
  const { store, devices } = world
  const keys = devices.mallory.keys.map(key => key.id.toString('base64'))
  const accounts = await store.listAccounts(userId)
  const passkeys = await store.listAuthenticatorsByUserId(userId)
  const hasPassword = [...world.passwords].some(([who, id]) => who === 'mallory' && id === userId)
  return [
    ...(hasPassword ? ['his password of the application'] : []),
    ...accounts
      .filter(each => each.providerAccountId === 'mallory')
      .map(each => `his account at ${each.provider}`),
    ...passkeys.filter(each => keys.includes(each.credentialID)).map(() => 'his passkey'),
  ]
}
