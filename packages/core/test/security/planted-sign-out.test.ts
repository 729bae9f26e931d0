import { describe, expect, it } from 'vitest'
import { signIn } from '../accounts/steps.ts'
import { createWorld, userIn } from '../accounts/world.ts'
import { SESSION_COOKIE } from '../spec/application.ts'
import { browserWith, CookieJar } from './cookie-jar.ts'

const HOST = 'app.example.com'
const SIBLING = 'evil.example.com'
const BELOW = `evil.${HOST}`
const PATHS = ['/', '/auth', '/auth/', '/auth/signout', '/auth/session']
const at = (path: string) => new URL(`https://${HOST}${path}`)

function plant(jar: CookieJar, host: string, name: string, value: string, path: string): void {
  const domain = host === BELOW ? HOST : 'example.com'
  jar.keep(host, `${name}=${value}; Domain=${domain}; Path=${path}; Secure`)
}

describe.each([
  ['jwt', false],
  ['jwt', true],
  ['database', false],
] as const)('with %s sessions, in parts: %s', (strategy, largeTokens) => {
  async function begin() {
    const world = await createWorld({ methods: 'ours', email: true, strategy, largeTokens })
    const jar = new CookieJar()
    const ann = browserWith(jar, world.auth.handle)
    const mallory = world.browsers['mallory 1']
    await signIn(world, mallory, 'vouching', 'mallory')
    const sessionCookies = [...mallory.cookies].filter(([name]) => name.startsWith(SESSION_COOKIE))
    const plantAt = (host: string, path: string) => {
      for (const [name, value] of sessionCookies) plant(jar, host, name, value, path)
    }
    return { world, jar, ann, mallory, plantAt }
  }

  const left = (jar: CookieJar) =>
    ['/', '/auth/session'].map(path => jar.headerFor(at(path)).includes(SESSION_COOKIE))

  it.each(['/', '/auth', '/auth/', '/auth/signout'])(
    'sign-out removes a session that was planted alone, for %s',
    async path => {
      const { jar, ann, mallory, plantAt } = await begin()
      plantAt(SIBLING, path)
      plantAt(BELOW, path)
      await ann.post('/signout')
      expect(left(jar)).toEqual([false, false])
      expect(await userIn(mallory)).toBeNull()
    },
  )

  it('sign-out removes planted sessions beside the own, and ends all of them', async () => {
    const { world, jar, ann, mallory, plantAt } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    for (const path of ['/', '/auth', '/auth/signout']) plantAt(SIBLING, path)
    const own = jar.headerFor(at('/'))
    await ann.post('/signout')
    expect(left(jar)).toEqual([false, false])
    expect(await userIn(mallory)).toBeNull()
    const copy = await world.newBrowser().get('/session', { cookie: own })
    expect(await copy.json()).toBeNull()
  })

  it('sign-in removes a planted session: the pages below /auth show the new one', async () => {
    const { world, jar, ann, plantAt } = await begin()
    for (const path of ['/', '/auth', '/auth/']) plantAt(SIBLING, path)
    await ann.post('/signin/vouching')
    const userId = await signIn(world, ann, 'vouching', 'ann')
    expect((await world.store.getUser(userId ?? ''))?.email).toBe('ann@example.test')
    const names = jar.headerFor(at('/auth/session')).split('; ')
    const parts = names.filter(each => each.startsWith(`${SESSION_COOKIE}`))
    expect(new Set(parts.map(each => each.split('=')[0])).size).toBe(parts.length)
  })

  it('sign-out ends the own session among more planted ones than a session check looks at', async () => {
    const { world, jar, ann } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    const csrfToken = await ann.csrfToken()
    const own = jar.headerFor(at('/auth/signout'))
    const names = largeTokens ? ['.0', '.1'] : ['']
    const junk = (from: string) =>
      Array.from({ length: 12 }, (_, n) =>
        names.map(part => `${SESSION_COOKIE}${part}=${from}${n}`),
      ).flat()
    const cookie = [...junk('a'), own, ...junk('b')].join('; ')
    await world.newBrowser().send('/signout', {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ csrfToken }),
    })
    const copy = await world.newBrowser().get('/session', { cookie: own })
    expect(await copy.json()).toBeNull()
  })

  it('sets no more headers than a response can hold', async () => {
    const { world, jar, ann } = await begin()
    await signIn(world, ann, 'vouching', 'ann')
    for (const host of [SIBLING, BELOW]) {
      for (const path of PATHS) {
        for (const part of ['', ...Array.from({ length: 16 }, (_, n) => `.${n}`)]) {
          plant(jar, host, SESSION_COOKIE + part, 'x'.repeat(20) + part, path)
        }
      }
    }
    const response = await ann.post('/signout')
    expect(response.status).toBe(302)
    const lines = response.headers.getSetCookie()
    const bytes = lines.reduce((sum, line) => sum + 'set-cookie: \r\n'.length + line.length, 0)
    expect(bytes).toBeLessThan(4096)
  })
})

it('a sign-out without planted sessions removes one cookie of the session, as ever', async () => {
  const world = await createWorld({ methods: 'ours', email: true, strategy: 'database' })
  const { 'ann 1': ann } = world.browsers
  await signIn(world, ann, 'vouching', 'ann')
  const lines = (await ann.post('/signout')).headers.getSetCookie()
  expect(lines.filter(line => line.startsWith(SESSION_COOKIE))).toHaveLength(1)
  expect(lines.join()).not.toContain('Domain')
})
