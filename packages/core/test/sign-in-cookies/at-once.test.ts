import { describe, expect, it } from 'vitest'
import { ANN, createWorld, type World } from '../principal/world.ts'
import { browserWith, CookieJar } from '../security/cookie-jar.ts'
import { startSite } from '../security/site-with-provider.ts'
import { Visitor } from '../visitor.ts'
import {
  ADA,
  createPasskeyApplication,
  ORIGIN,
  outcomeOf,
} from '../webauthn/passkey-application.ts'

// Responses to requests that were sent at once do not know of each other's cookies. Sign-ins in progress have few names, so that
// their number is limited all the same. But then the cookie of that name need not be the one of the attempt.

/** Of the 8 KiB that servers accept: the other headers of a browser, and a session, take the rest. */
const WITH_ROOM_FOR_OTHERS = 7424
const HOST = 'app.example.com'
const PROVIDER = 'https://id.provider.test'
const OF_ATTEMPTS = /authjs\.(state|challenge)\./
const ATTEMPT_IDS = Array.from({ length: 4 }, (_, slot) => String(slot).padStart(12, '0'))
const CHALLENGE_IDS = ATTEMPT_IDS.slice(0, 3)

interface Tab {
  readonly started: Response
  /** The name of its cookie. */
  readonly name: string
}

/** Sends requests at once: each brings the cookies that the browser had before the first. */
async function openAtOnce(
  visitor: Visitor,
  count: number,
  fields: Record<string, string> = {},
  world?: World,
): Promise<readonly Tab[]> {
  const csrfToken = await visitor.csrfToken()
  const headers = { cookie: visitor.cookieHeader() }
  const tabs: Tab[] = []
  for (let tab = 0; tab < count; tab++) {
    const body = new URLSearchParams({ csrfToken, ...fields })
    const path = world ? '/signin/first' : '/signin/op'
    tabs.push(tabOf(await visitor.send(path, { method: 'POST', headers, body })))
  }
  return tabs
}

/** What a request to begin was answered, with the name of the attempt's cookie. */
function tabOf(started: Response): Tab {
  const names = started.headers.getSetCookie().map(line => line.split('=', 1)[0] ?? '')
  return { started, name: names.findLast(name => /state\.\w{12}$/.test(name)) ?? '' }
}

/** The last tab for each name, whose cookies the browser has, and the others. */
function partition(tabs: readonly Tab[]): { kept: readonly Tab[]; replaced: readonly Tab[] } {
  const kept = [...new Map(tabs.map(tab => [tab.name, tab])).values()]
  return { kept, replaced: tabs.filter(tab => !kept.includes(tab)) }
}

const createVisitor = async () => {
  const world = await createWorld({ strategy: 'jwt', check: 'always' }, { isSignedIn: false })
  return { world, visitor: new Visitor(world.auth.handle) }
}

const whereTo = (response: Response) => response.headers.get('location') ?? ''

describe('tabs that are opened at once', () => {
  it.each([
    [20, 0],
    [12, 60],
    [30, 64],
    [30, 256],
    [30, 257],
    [30, 1024],
    [30, 1500],
    [30, 2048],
  ])(
    '%d of each kind, with a return URL of %d characters, leave a browser with cookies that fit into 8 KiB',
    async (count, length) => {
      const { world, visitor } = await createVisitor()
      const url = `https://${HOST}/`.padEnd(length, 'status-open&sort-by=date&')
      const fields: Record<string, string> = length ? { callbackUrl: url.slice(0, length) } : {}
      await visitor.get(`/signin?${new URLSearchParams(fields)}`)
      await visitor.csrfToken()
      const headers = { cookie: visitor.cookieHeader() }
      await openAtOnce(visitor, count, fields, world)
      expect(attemptsOf(visitor).length).toBeGreaterThan(1)
      for (let tab = 0; tab < count; tab++) {
        await visitor.send('/webauthn-options/passkey?action=authenticate', { headers })
      }
      expect(visitor.cookieHeader().length).toBeLessThan(WITH_ROOM_FOR_OTHERS)
      expect(attemptsOf(visitor).length).toBeGreaterThan(2)
    },
  )

  it('work one by one, but for those whose cookie another tab has replaced: they are to begin again', async () => {
    const { world, visitor } = await createVisitor()
    const { kept, replaced } = partition(await openAtOnce(visitor, 9, {}, world))
    expect(replaced.length).toBeGreaterThan(4)
    for (const { started } of replaced) {
      const refused = await visitor.send(world.agree(started, ANN.sub).href)
      expect(whereTo(refused)).toContain('/auth/error?error=InvalidCheck')
      expect(refused.headers.getSetCookie()).toEqual([])
    }
    expect(await visitor.session()).toBeNull()
    for (const { started } of kept) {
      const finished = await visitor.send(world.agree(started, ANN.sub).href)
      expect(whereTo(finished)).toBe(`https://${HOST}`)
    }
    expect(await visitor.session()).not.toBeNull()
  })
})

describe('tabs that are opened one after another', () => {
  it('four attempts without a return URL work', async () => {
    const { world, visitor } = await createVisitor()
    const tabs: Response[] = []
    for (let tab = 0; tab < 4; tab++) {
      world.clock.now += 1000
      tabs.push(await visitor.post('/signin/first'))
    }
    for (const started of tabs) {
      expect(whereTo(await visitor.send(world.agree(started, ANN.sub).href))).toBe(
        `https://${HOST}`,
      )
    }
  })

  it('a fifth takes the place of the oldest', async () => {
    const { world, visitor } = await createVisitor()
    const tabs: Tab[] = []
    for (let tab = 0; tab < 7; tab++) {
      world.clock.now += 1000
      tabs.push(tabOf(await visitor.post('/signin/first')))
    }
    expect(tabs.slice(4).map(({ name }) => name)).toEqual(tabs.slice(0, 3).map(({ name }) => name))
    expect(new Set(tabs.map(({ name }) => name)).size).toBe(4)
  })

  it.each([
    [64, 4],
    [65, 3],
    [1024, 3],
    [1025, 2],
  ])('with a return URL of %d characters take %d names', async (length, count) => {
    const { world, visitor } = await createVisitor()
    const callbackUrl = `https://${HOST}/`.padEnd(length, 'a')
    const names: string[] = []
    for (let tab = 0; tab < 6; tab++) {
      world.clock.now += 1000
      names.push(tabOf(await visitor.post('/signin/first', { callbackUrl })).name)
    }
    expect(new Set(names).size).toBe(count)
    // Each takes the place of the oldest.
    expect(names.slice(count)).toEqual(names.slice(0, 6 - count))
  })
})

it('an answer that nobody requested ends no attempt, though the name of its cookie can be guessed', async () => {
  const { world, visitor } = await createVisitor()
  const started = await visitor.post('/signin/first')
  for (const provider of ['first', 'second']) {
    for (const id of ATTEMPT_IDS) {
      await visitor.send(`/callback/${provider}?code=mallory&state=${id.padStart(64, '0')}`)
    }
  }
  await visitor.send(world.agree(started, ANN.sub).href)
  expect(await visitor.session()).not.toBeNull()
})

/** A site whose attempts and challenges other hosts can plant, and a browser of it. */
function startPlantable() {
  const clock = { now: Date.now() }
  const { settings } = startSite({})
  const site = {
    clock,
    ...startSite({
      cookies: { state: { name: 'state' }, webauthnChallenge: { name: 'challenge' } },
      ports: { ...settings.ports, now: () => clock.now },
    }),
  }
  const jar = new CookieJar()
  const visitor = browserWith(jar, site.auth.handle)
  const plant = (name: string, value: string, path = '/') =>
    jar.keep(`evil.${HOST}`, `${name}=${value}; Domain=${HOST}; Path=${path}; Secure`)
  const start = () => visitor.post('/signin/op')
  const finish = async (started: Response, who: string) => {
    await visitor.send(site.agree(new URL(whereTo(started)), who))
    return ((await visitor.session()) as { user: { name: string } } | null)?.user.name
  }
  return { site, jar, visitor, plant, start, finish }
}

describe('cookies that another host has planted under all names of attempts', () => {
  it.each(['/', '/auth', '/auth/callback/op'])(
    'for %s do not keep a visitor from signing in',
    async path => {
      const { plant, start, finish } = startPlantable()
      for (const id of ATTEMPT_IDS) plant(`state.${id}`, 'planted', path)
      expect(await finish(await start(), 'ann')).toBe('ann')
    },
  )

  it('for many paths do not, nor do attempts that the attacker has begun', async () => {
    const { site, plant, start, finish } = startPlantable()
    const mallory = site.enter()
    for (let tab = 0; tab < 4; tab++) await mallory.begin()
    const begun = [...mallory.visitor.cookies].filter(([name]) => name.startsWith('state.'))
    expect(begun).toHaveLength(4)
    for (const path of ['/', '/auth', '/auth/', '/auth/callback', '/auth/callback/op']) {
      for (const [name, value] of begun) plant(name, value, path)
    }
    expect(await finish(await start(), 'ann')).toBe('ann')
  })

  it.each(['cannot be opened', 'are attempts of the attacker'])(
    'do not, if they are sent after those of the visitor and %s',
    async what => {
      const { site, plant, start, finish } = startPlantable()
      const started = await start()
      const mallory = site.enter()
      for (let tab = 0; tab < 4; tab++) await mallory.begin()
      for (const id of ATTEMPT_IDS) {
        const own = mallory.visitor.cookies.get(`state.${id}`) ?? ''
        expect(own).not.toBe('')
        plant(`state.${id}`, what === 'cannot be opened' ? 'planted' : own)
      }
      expect(await finish(started, 'ann')).toBe('ann')
    },
  )

  it('are no reason to remove the attempt of that name', async () => {
    const { plant, start, finish } = startPlantable()
    const started = await start()
    const { name } = tabOf(started)
    plant(name, 'planted', '/auth')
    for (const id of ATTEMPT_IDS) {
      if (`state.${id}` !== name) plant(`state.${id}`, 'x'.repeat(1500), '/auth')
    }
    const removed = (await start()).headers.getSetCookie().filter(line => /max-age=0/i.test(line))
    expect(removed.length).toBeGreaterThan(0)
    expect(removed.filter(line => line.startsWith(`${name}=`))).toEqual([])
    expect(await finish(started, 'ann')).toBe('ann')
  })

  it('make no attempt of that name older', async () => {
    const { site, plant, start, finish } = startPlantable()
    const tabs: Response[] = []
    for (let tab = 0; tab < 4; tab++) {
      site.clock.now += 1000
      tabs.push(await start())
    }
    const names = tabs.map(started => tabOf(started).name)
    expect(new Set(names).size).toBe(4)
    for (const name of names.slice(1)) plant(name, 'planted', '/auth')
    site.clock.now += 1000
    expect(tabOf(await start()).name).toBe(names[0])
    for (const started of tabs.slice(1)) expect(await finish(started, 'ann')).toBe('ann')
  })

  it('make room before any attempt of the visitor', async () => {
    const { jar, plant, start, finish } = startPlantable()
    const tabs = [await start(), await start(), await start()]
    const names = tabs.map(started => tabOf(started).name)
    const free = ATTEMPT_IDS.map(id => `state.${id}`).filter(name => !names.includes(name))
    expect(free).toHaveLength(1)
    plant(free[0] ?? '', 'planted')
    const fourth = await start()
    expect(tabOf(fourth).name).toBe(free[0])
    expect(jar.valuesAt(new URL(`https://${HOST}/auth`), free[0] ?? '')).toHaveLength(2)
    for (const [index, started] of [...tabs, fourth].entries()) {
      expect(await finish(started, 'ann'), `${index}`).toBe('ann')
    }
  })
})

it.each(['first', 'second'])(
  'an answer that a provider has posted arrives beside one that another host has planted, sent %s',
  async position => {
    const { settings } = startSite({})
    const [provider] = settings.providers as readonly { authorization: string }[]
    const authorization = {
      url: provider?.authorization ?? '',
      params: { response_mode: 'form_post' },
    }
    const site = startSite({
      cookies: { state: { name: 'state' } },
      providers: [{ ...provider, authorization } as never],
    })
    const [ann, mallory] = [site.enter(), site.enter()]
    const answer = (who: typeof ann, begun: URL, name: string) => {
      const { origin, pathname, searchParams } = new URL(who.agree(begun, name))
      const cookie = who.visitor.cookieHeader()
      const headers = { cookie, origin: PROVIDER, 'sec-fetch-site': 'cross-site' }
      const request = { method: 'POST', headers, body: searchParams }
      return site.auth.handle(new Request(origin + pathname, request))
    }
    const begun: URL[] = []
    for (let tab = 0; tab < 4; tab++) begun.push(await mallory.begin())
    const planted: string[] = []
    for (const url of begun) {
      const { headers } = await answer(mallory, url, 'mallory')
      const pair = headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
      planted.push(pair.replace(/=.*/, '=planted'), pair)
    }
    const posted = await answer(ann, await ann.begin(), 'ann')
    const pair = posted.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const [name = '', value = ''] = pair.split('=')
    expect(planted).toContain(`${name}=planted`)
    ann.visitor.cookies.set(name, value)
    const own = [...ann.visitor.cookies].map(each => each.join('='))
    ann.visitor.cookieHeader = () =>
      (position === 'first' ? [...planted, ...own] : [...own, ...planted]).join('; ')
    const finished = await ann.visitor.send(whereTo(posted))
    expect(whereTo(finished)).toBe(`https://${HOST}`)
    delete (ann.visitor as { cookieHeader?: unknown }).cookieHeader
    expect(await ann.visitor.session()).toMatchObject({ user: { name: 'ann' } })
  },
)

it('two cookies of one __Host- name, as browsers send with a partitioned one, leave the other names for attempts', async () => {
  const { visitor, begin, agree } = startSite({}).enter()
  const own = () => [...visitor.cookies].map(pair => pair.join('=')).join('; ')
  const [first, ...others] = ATTEMPT_IDS.map(id => `__Host-authjs.state.${id}`)
  visitor.cookieHeader = () => `${first}=one; ${first}=two; ${own()}`
  for (const name of others) visitor.cookies.set(name, 'planted')
  for (let round = 0; round < 8; round++) {
    const url = await begin()
    expect(visitor.cookies.has(first ?? '')).toBe(false)
    await visitor.send(agree(url, 'ann'))
    expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
    await visitor.post('/signout')
    for (const name of others) visitor.cookies.set(name, 'planted')
  }
})

it('any number of other cookies, with names as long as those of attempts, leave room for one that has no state', async () => {
  const { settings } = startSite({})
  const [provider] = settings.providers as readonly object[]
  const { visitor, begin, signInAs } = startSite({
    providers: [{ ...provider, checks: ['pkce'] } as never],
  }).enter()
  expect((await begin()).searchParams.has('state')).toBe(false)
  const length = [...visitor.cookies.keys()].find(name => OF_ATTEMPTS.test(name))?.length ?? 0
  const own = () => [...visitor.cookies].map(pair => pair.join('=')).join('; ')
  const others = Array.from({ length: 40 }, (_, n) => `${String(n).padStart(length, 'x')}=1`)
  visitor.cookieHeader = () => [own(), ...others].join('; ')
  expect(await signInAs('ann')).toMatchObject({ user: { name: 'ann' } })
})

describe('pages with a passkey', () => {
  it('that lose their challenge to another do not end the one of that', async () => {
    const ada = createPasskeyApplication().person()
    await ada.register(ADA)
    await ada.signOut()
    const headers = { cookie: ada.browser.cookieHeader() }
    const tabs = []
    for (let tab = 0; tab < 5; tab++) {
      const path = '/webauthn-options/passkey?action=authenticate'
      const response = await ada.browser.send(path, { headers })
      const { options } = (await response.json()) as {
        options: Parameters<typeof ada.device.get>[0]
      }
      tabs.push({ options, slot: options.challenge.slice(0, 12) })
    }
    const kept = [...new Map(tabs.map(tab => [tab.slot, tab])).values()]
    for (const tab of tabs.filter(each => !kept.includes(each))) {
      const answer = ada.device.get(tab.options)
      expect(outcomeOf(await ada.answer('authenticate', answer))).not.toBe(ORIGIN)
    }
    for (const { options } of kept) {
      expect(outcomeOf(await ada.answer('authenticate', ada.device.get(options)))).toBe(ORIGIN)
      await ada.signOut()
    }
  })

  it.each(['before', 'after'])(
    'work beside cookies of their names that another host has planted, and that are sent %s theirs',
    async when => {
      const config = { cookies: { webauthnChallenge: { name: 'challenge' } } }
      const ada = createPasskeyApplication({ config }).person()
      await ada.register(ADA)
      await ada.signOut()
      const own = () => [...ada.browser.cookies].map(pair => pair.join('=')).join('; ')
      const planted = CHALLENGE_IDS.map(id => `challenge.${id}=planted`)
      ada.browser.cookieHeader = () =>
        (when === 'before' ? [...planted, own()] : [own(), ...planted]).join('; ')
      expect(outcomeOf(await ada.signIn())).toBe(ORIGIN)
    },
  )
})

function attemptsOf({ cookies }: Visitor): readonly string[] {
  return [...cookies.keys()].filter(name => OF_ATTEMPTS.test(name))
}
