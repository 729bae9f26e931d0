import { describe, expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import {
  COOKIE,
  cookieEnd,
  createSite,
  DAY,
  isIn,
  STRATEGIES,
  sessionCookies,
  WAYS,
} from './site.ts'

/** Whether every part of the session cookie of an answer goes when the browser is closed. */
function isTemporary(response: Response): boolean {
  const cookies = sessionCookies(response).filter(line => !/Max-Age=0/i.test(line))
  expect(cookies.length).toBeGreaterThan(0)
  return cookies.every(line => !/Expires|Max-Age/i.test(line))
}

const FORGET = { remember: 'false' }

describe.each(STRATEGIES)('a %s session', strategy => {
  it.each(WAYS)(
    'lasts when the browser is closed, unless somebody says otherwise (%s)',
    async way => {
      const { clock, visitor, ways } = await createSite(strategy)
      expect(cookieEnd(await ways[way](visitor()))).toBe(clock.now + 30 * DAY)
    },
  )

  it.each(WAYS)('is forgotten then, where a form says so (%s)', async way => {
    const { visitor, ways } = await createSite(strategy)
    const ann = visitor()
    expect(isTemporary(await ways[way](ann, FORGET))).toBe(true)
    expect(await isIn(ann)).toBe(true)
  })

  it.each(WAYS)('is remembered where a form says so, and forgotten by default (%s)', async way => {
    const { visitor, ways } = await createSite(strategy, { remember: false })
    expect(isTemporary(await ways[way](visitor()))).toBe(true)
    expect(isTemporary(await ways[way](visitor(), { remember: 'true' }))).toBe(false)
  })

  it('stays one that is forgotten when it is renewed', async () => {
    const { clock, signedIn } = await createSite(strategy)
    const ann = await signedIn(FORGET)
    for (let day = 0; day < 3; day++) {
      clock.now += 2 * DAY
      expect(isTemporary(await ann.get('/session'))).toBe(true)
    }
  })

  it('stays so with a new token, and with another account', async () => {
    const { auth, signedIn, ways, addPasskey } = await createSite(strategy)
    const ann = await signedIn(FORGET)
    const headers = { cookie: ann.cookieHeader() }
    const request = { headers, url: 'https://app.example.com/' }
    await auth.sessions.rotate(request)
    const setCookies = auth.takeSetCookies(request)
    expect(setCookies.filter(each => each.startsWith(COOKIE))).toHaveLength(1)
    expect(setCookies.join()).not.toMatch(new RegExp(`${COOKIE}=[^;]+;[^,]*(Expires|Max-Age)`, 'i'))
    const another = await signedIn(FORGET)
    expect(isTemporary(await ways.provider(another))).toBe(true)
    expect(isTemporary(await addPasskey(another))).toBe(true)
  })

  it('is remembered again when somebody says so', async () => {
    const { signedIn, ways } = await createSite(strategy)
    const ann = await signedIn(FORGET)
    expect(isTemporary(await ways.password(ann, { remember: 'true' }))).toBe(false)
  })

  it('is what the application wants that signs people in itself', async () => {
    const { auth } = await createSite(strategy)
    const signIn = async (remember: boolean) => {
      const request = new Request('https://app.example.com/login')
      await auth.signIn(request, 'password', { remember })
      return auth.takeSetCookies(request).find(each => each.startsWith(COOKIE))
    }
    expect(await signIn(false)).not.toMatch(/Expires|Max-Age/i)
    expect(await signIn(true)).toMatch(/Expires/i)
  })

  it('lasts in another browser that opens the link', async () => {
    const { visitor, links, ways } = await createSite(strategy)
    await ways.link(visitor(), FORGET)
    await visitor().post('/signin/mail', { email: 'ann@example.test', ...FORGET })
    expect(isTemporary(await visitor().openLink(links.at(-1) as URL))).toBe(false)
  })
})

describe('what is forgotten', () => {
  it('cannot be made to last by changing the name of its row', async () => {
    const { signedIn, auth } = await createSite('database')
    const ann = await signedIn(FORGET)
    const token = ann.cookies.get(COOKIE) ?? ''
    expect(token).toMatch(/~t$/)
    const changed = at(auth, ann)
    changed.cookies.set(COOKIE, token.replace('~t', ''))
    expect(await isIn(changed)).toBe(false)
    expect(await isIn(ann)).toBe(true)
  })

  it('stays so while the application changes its claims, in as many cookies as it takes', async () => {
    const { signedIn, auth } = await createSite(
      'jwt',
      {},
      {
        callbacks: {
          jwt: ({ token, session }) =>
            session ? { ...token, ...(session as object), siteauth: undefined } : token,
        },
      },
    )
    const ann = await signedIn(FORGET)
    const answer = await ann.postJson('/session', { data: { notes: 'x'.repeat(5000) } })
    expect(sessionCookies(answer).length).toBeGreaterThan(2)
    expect(isTemporary(answer)).toBe(true)
    expect(await isIn(at(auth, ann))).toBe(true)
  })

  it('is so without any adapter', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) }
    const auth = createTestAuth({
      trustHost: true,
      providers: [{ id: 'p', name: 'P', type: 'credentials', credentials: {}, authorize }],
      ports: { now: () => clock.now },
    })
    const ann = new Visitor(auth.handle)
    expect(isTemporary(await ann.post('/callback/p', FORGET))).toBe(true)
    clock.now += 2 * DAY
    expect(isTemporary(await ann.get('/session'))).toBe(true)
  })

  it('is so behind a proxy that has no log of what was ended', async () => {
    const { clock, signedIn, node } = await createSite('jwt')
    const ann = await signedIn(FORGET)
    clock.now += 2 * DAY
    const proxy = node({ store: {}, providers: [], session: { revocation: undefined } })
    expect(isTemporary(await at(proxy, ann).get('/session'))).toBe(true)
  })
})

const authorize = () => ({ id: 'ann', name: 'Ann' })

describe('the built-in page', () => {
  it('asks only where it is told to', async () => {
    const asking = await createSite('jwt', { remember: 'ask' })
    const page = await (await asking.visitor().get('/signin')).text()
    expect(page).toContain('Keep me signed in')
    const { visitor } = await createSite('jwt')
    expect(await (await visitor().get('/signin')).text()).not.toContain('Keep me signed in')
  })

  it('forgets whoever does not tick the box', async () => {
    const { visitor, ways } = await createSite('jwt', { remember: 'ask' })
    expect(isTemporary(await ways.password(visitor()))).toBe(true)
    expect(isTemporary(await ways.password(visitor(), { remember: 'true' }))).toBe(false)
  })
})
