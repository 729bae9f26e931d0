import fc from 'fast-check'
import { choosePassword, usePasskey } from './steps.ts'
import {
  ADDRESS,
  BROWSERS,
  type BrowserName,
  hasher,
  PEOPLE,
  type Person,
  PROVIDERS,
  type ProviderId,
  personOf,
  SECRETS,
  type World,
} from './world.ts'

/** One thing that somebody does. What a number points at is the last thing but so many of its kind. */
export type Action =
  | { readonly do: 'go to provider'; readonly browser: BrowserName; readonly provider: ProviderId }
  | {
      readonly do: 'come back'
      readonly attempt: number
      /** Who agrees at the provider. */
      readonly by: Person
      /** The address that they write down there, where they can. */
      readonly address: Person
      /** Where the answer is opened: their own browser, or one that they lure somebody to open it in. */
      readonly browser: BrowserName
      readonly failAt: number | undefined
    }
  | { readonly do: 'come back again'; readonly answer: number; readonly browser: BrowserName }
  | { readonly do: 'ask for link'; readonly browser: BrowserName; readonly address: Person }
  | {
      readonly do: 'open link'
      readonly link: number
      readonly browser: BrowserName
      readonly failAt: number | undefined
    }
  | {
      readonly do: 'type code'
      readonly link: number
      readonly browser: BrowserName
      readonly failAt: number | undefined
    }
  | {
      readonly do: 'make passkey'
      readonly browser: BrowserName
      readonly address: Person
      /** What happens in the same browser between the question and the answer. */
      readonly meanwhile: 'nothing' | 'sign out'
      readonly failAt: number | undefined
    }
  | {
      readonly do: 'use passkey'
      readonly browser: BrowserName
      readonly failAt: number | undefined
    }
  | { readonly do: 'set password'; readonly who: Person; readonly address: Person }
  | { readonly do: 'use password'; readonly browser: BrowserName }
  | {
      readonly do: 'ask for password'
      readonly wish: 'sign-up' | 'forgot'
      readonly browser: BrowserName
      readonly address: Person
    }
  | {
      readonly do: 'choose password'
      readonly link: number
      readonly browser: BrowserName
      readonly failAt: number | undefined
    }
  /** As a table that was taken over has them: a password, and an address that nobody has proved. */
  | { readonly do: 'import password'; readonly who: Person; readonly address: Person }
  | {
      readonly do: 'type password'
      readonly browser: BrowserName
      readonly address: Person
      readonly secret: 0 | 1
      readonly failAt: number | undefined
    }
  | {
      readonly do: 'change password'
      readonly browser: BrowserName
      readonly from: 0 | 1
      readonly failAt: number | undefined
    }
  | { readonly do: 'remove password'; readonly browser: BrowserName; readonly secret: 0 | 1 }
  | { readonly do: 'plant cookies'; readonly from: BrowserName; readonly to: BrowserName }
  | { readonly do: 'remove account'; readonly browser: BrowserName }
  | { readonly do: 'sign out'; readonly browser: BrowserName }

/** What is under way, beside what the browsers remember. */
export interface Pending {
  readonly attempts: { readonly provider: ProviderId; readonly url: URL; readonly of: Person }[]
  readonly answers: { readonly url: URL; readonly of: Person }[]
}

const browser = fc.constantFrom(...BROWSERS)
const person = fc.constantFrom(...PEOPLE)
const recent = fc.nat({ max: 2 })
const secret = fc.constantFrom(0 as const, 0 as const, 1 as const)
const failAt = fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined, freq: 4 })

export const anyAction: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('go to provider' as const),
      browser,
      provider: fc.constantFrom(...PROVIDERS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('come back' as const),
      attempt: recent,
      by: person,
      address: person,
      browser,
      failAt,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('come back again' as const), answer: recent, browser }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('ask for link' as const), browser, address: person }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('open link' as const), link: recent, browser, failAt }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('type code' as const), link: recent, browser, failAt }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('make passkey' as const),
      browser,
      address: person,
      meanwhile: fc.constantFrom('nothing' as const, 'nothing' as const, 'sign out' as const),
      failAt,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('use passkey' as const), browser, failAt }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('set password' as const),
      who: person,
      address: person,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('use password' as const), browser }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask for password' as const),
      wish: fc.constantFrom('sign-up' as const, 'forgot' as const),
      browser,
      address: person,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('choose password' as const),
      link: recent,
      browser,
      failAt,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('import password' as const),
      who: person,
      address: person,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('type password' as const),
      browser,
      address: person,
      secret,
      failAt,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('change password' as const),
      browser,
      from: secret,
      failAt,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('remove password' as const), browser, secret }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('plant cookies' as const), from: browser, to: browser }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove account' as const), browser }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sign out' as const), browser }) },
)

/** Does it, as far as people can. Answers what was shown as a proof, where that can be shown again. */
export async function act(
  world: World,
  pending: Pending,
  action: Action,
): Promise<object | undefined> {
  const { browsers, passwords, store } = world
  switch (action.do) {
    case 'go to provider': {
      const started = await browsers[action.browser].post(`/signin/${action.provider}`)
      const url = new URL(started.headers.get('location') ?? '')
      if (url.searchParams.has('state'))
        pending.attempts.unshift({ provider: action.provider, url, of: personOf(action.browser) })
      return undefined
    }
    case 'come back': {
      const attempt = pending.attempts[action.attempt]
      // Ann shows nobody where she goes, nor what her provider answers. Mallory shows both to Ann.
      if (!attempt || (action.by === 'mallory' && attempt.of === 'ann')) return undefined
      if (action.by === 'ann' && personOf(action.browser) === 'mallory') return undefined
      const written = attempt.provider === 'loose' ? action.address : action.by
      const back = world.agree(attempt.provider, attempt.url, action.by, ADDRESS[written])
      const answer = { url: back, of: action.by }
      pending.answers.unshift(answer)
      await world.failingAt(action.failAt, () => browsers[action.browser].send(back.href))
      return answer
    }
    case 'come back again': {
      const answer = pending.answers[action.answer]
      if (!answer || (answer.of === 'ann' && personOf(action.browser) === 'mallory'))
        return undefined
      await browsers[action.browser].send(answer.url.href)
      return answer
    }
    case 'ask for link':
      // Ann has no reason to say that she is somebody else.
      if (!world.setting.email || (personOf(action.browser) === 'ann' && action.address !== 'ann'))
        return undefined
      await browsers[action.browser].post('/signin/mail', { email: ADDRESS[action.address] })
      return undefined
    case 'open link': {
      const link = world.links.at(-1 - action.link)
      const isAnn = personOf(action.browser) === 'ann'
      // Nobody reads the mail of another, but Mallory can send his to Ann, who opens whatever she gets.
      if (!link || (link.to === ADDRESS.ann && !isAnn)) return undefined
      const page = await (await browsers[action.browser].send(link.url.href)).text()
      const isTheirs = link.to === ADDRESS[personOf(action.browser)]
      // Nobody signs in as somebody else by a button that says so.
      if (!isTheirs && !page.includes('data-submits-itself')) return undefined
      await world.failingAt(action.failAt, () => browsers[action.browser].confirmLink(link.url))
      return link
    }
    case 'type code': {
      const link = world.links.at(-1 - action.link)
      const isAnn = personOf(action.browser) === 'ann'
      // As with links: Mallory can have Ann type a code that he was sent. Hers she gives to nobody.
      if (!link || (link.to === ADDRESS.ann && !isAnn)) return undefined
      const { code } = link
      await world.failingAt(action.failAt, () =>
        browsers[action.browser].post('/signin/mail', { code }),
      )
      return link
    }
    case 'make passkey': {
      const who = personOf(action.browser)
      const browser = browsers[action.browser]
      const answer = await usePasskey(world, browser, who, 'register', action.address)
      if (!answer) return undefined
      if (action.meanwhile === 'sign out') await browser.post('/signout')
      await world.failingAt(action.failAt, answer)
      return undefined
    }
    case 'use passkey': {
      const who = personOf(action.browser)
      const answer = await usePasskey(world, browsers[action.browser], who, 'authenticate')
      if (answer) await world.failingAt(action.failAt, answer)
      return undefined
    }
    case 'set password': {
      // As many applications do it: a form that takes any address that nobody has.
      const email = ADDRESS[action.address]
      if (passwords.has(action.who) || (await store.getUserByEmail(email))) return undefined
      const user = await store.createUser({ id: crypto.randomUUID(), email, emailVerified: null })
      world.userIds.add(user.id)
      passwords.set(action.who, user.id)
      return undefined
    }
    case 'use password':
      await browsers[action.browser].post('/callback/password', { who: personOf(action.browser) })
      return undefined
    case 'ask for password':
      if (personOf(action.browser) === 'ann' && action.address !== 'ann') return undefined
      await browsers[action.browser].post(`/password/${action.wish}`, {
        email: ADDRESS[action.address],
      })
      return undefined
    case 'choose password': {
      const link = world.passwordLinks.at(-1 - action.link)
      const who = personOf(action.browser)
      // Nobody reads the mail of another, and nobody chooses a password for an address that is not theirs.
      if (link?.to !== ADDRESS[who]) return undefined
      await world.failingAt(action.failAt, () =>
        choosePassword(browsers[action.browser], link.url, SECRETS[who][0]),
      )
      return link
    }
    case 'import password': {
      const email = ADDRESS[action.address]
      // Of no use to anybody where passwords are not looked after.
      if (world.setting.methods !== 'ours' || (await store.getUserByEmail(email))) return undefined
      const user = await store.createUser({ id: crypto.randomUUID(), email, emailVerified: null })
      world.userIds.add(user.id)
      const hash = await hasher.hash(SECRETS[action.who][0])
      await store.passwords.set({ userId: user.id, hash, changedAt: new Date() })
      return undefined
    }
    case 'type password': {
      const password = SECRETS[personOf(action.browser)][action.secret]
      const fields = { email: ADDRESS[action.address], password }
      await world.failingAt(action.failAt, () =>
        browsers[action.browser].post('/signin/kept', fields),
      )
      return undefined
    }
    case 'change password': {
      const secrets = SECRETS[personOf(action.browser)]
      const fields = {
        currentPassword: secrets[action.from],
        newPassword: secrets[action.from === 0 ? 1 : 0],
      }
      await world.failingAt(action.failAt, () => browsers[action.browser].post('/password', fields))
      return undefined
    }
    case 'remove password': {
      const currentPassword = SECRETS[personOf(action.browser)][action.secret]
      await browsers[action.browser].post('/password/remove', { currentPassword })
      return undefined
    }
    case 'plant cookies':
      plant(world, action.from, action.to)
      return undefined
    case 'remove account': {
      const session = (await browsers[action.browser].session()) as { user?: { id: string } } | null
      const [first, ...others] = session?.user ? await store.listAccounts(session.user.id) : []
      // Applications never take the last way in away.
      if (first && others.length > 0) await store.unlinkAccount(first)
      return undefined
    }
    case 'sign out':
      await browsers[action.browser].post('/signout')
      return undefined
  }
}

/** What a neighbouring host could plant if the cookies of attempts had no `__Host-` name. */
function plant({ browsers }: World, from: BrowserName, to: BrowserName): void {
  if (personOf(from) === personOf(to)) return
  for (const [name, value] of browsers[from].cookies) {
    if (/authjs\.(?:state|challenge|email-request|callback-url)/.test(name)) {
      browsers[to].cookies.set(name, value)
    }
  }
}
