import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, keepCookies, tokenOf } from './people.ts'

// Two people, two browsers, two servers, in any order. Whatever happens: nobody gets a token of the other, and
// nobody has to sign in again, since no refresh token is lost or used twice.

const MINUTE = 60_000
const PEOPLE = ['ada', 'eve'] as const

/** Numbers that look random, and are the same for the same seed. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return sides => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

interface Tab {
  readonly browser: Visitor
  /** Who has signed in there. */
  person: string | null
}

async function live(seed: number, kept: 'in a store' | 'in a cookie'): Promise<void> {
  const roll = createDice(seed)
  const config =
    kept === 'in a store' ? {} : { adapter: undefined, account: { storeTokensInCookie: true } }
  const world = createWorld(config, roll(2) === 0 && kept === 'in a store' ? 'database' : 'jwt')
  const { provider, clock, node, signIn } = world
  // Their clocks differ.
  const skewed = node({ ports: { now: () => clock.now + 2000, fetch: provider.fetch } })
  const servers = [world.auth, kept === 'in a store' ? skewed : world.auth]
  const tabs: Tab[] = PEOPLE.map(() => ({
    browser: new Visitor(world.auth.handle),
    person: null,
  }))
  const story: string[] = []

  const one = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item

  async function check(tab: Tab, token: string): Promise<void> {
    story.push(`${tab.person} gets ${token}`)
    if (tab.person === null) expect(token, story.join('\n')).toBe('not_signed_in')
    else expect(token, story.join('\n')).toMatch(new RegExp(`^access-${tab.person}-`))
  }

  const ways: readonly ((tab: Tab) => Promise<void>)[] = [
    async tab => {
      const person = one(PEOPLE)
      // Whoever is signed in and comes with an account of another adds nothing: they sign out first.
      if (tab.person !== null) await tab.browser.post('/signout')
      story.push(`${person} signs in`)
      await signIn(person, { visitor: tab.browser })
      tab.person = person
    },
    async tab => {
      story.push(`${tab.person} signs out`)
      await tab.browser.post('/signout')
      tab.person = null
    },
    async () => {
      const minutes = roll(90)
      story.push(`${minutes} minutes pass`)
      clock.now += minutes * MINUTE
    },
    async tab => check(tab, await tokenOf(one(servers), tab.browser)),
    async tab => {
      const asked = servers.flatMap(server => [
        tokenOf(server, tab.browser),
        tokenOf(server, tab.browser),
      ])
      for (const token of await Promise.all(asked)) await check(tab, token)
    },
    async tab => {
      const other = tabs.find(each => each !== tab) ?? tab
      const stolen = new Visitor(world.auth.handle)
      // The session of one, with all else of the other.
      for (const [name, value] of [...other.browser.cookies, ...tab.browser.cookies]) {
        stolen.cookies.set(name, value)
      }
      for (const [name, value] of other.browser.cookies) {
        if (name.includes('tokens')) stolen.cookies.set(name, value)
      }
      const token = await tokenOf(one(servers), stolen)
      story.push(`with cookies of both: ${token}`)
      const isOwn = ['not_signed_in', 'no_account'].includes(token)
      const whose = tab.person ?? other.person
      if (!isOwn) expect(token, story.join('\n')).toMatch(new RegExp(`^access-${whose}-`))
      // What a refresh by them brought belongs in the browser whose it was.
      if (whose === other.person) keepCookies(other.browser, pairsOf(stolen))
      else if (whose === tab.person) keepCookies(tab.browser, pairsOf(stolen))
    },
  ]

  for (let step = 0; step < 40; step++) await one(ways)(one(tabs))
}

function pairsOf({ cookies }: Visitor): readonly string[] {
  return [...cookies].filter(([name]) => name.includes('tokens')).map(pair => pair.join('='))
}

describe.each(['in a store', 'in a cookie'] as const)('two people, tokens %s', kept => {
  it.each([1, 2, 3, 4, 5, 6])('never get what is not theirs: story %i', seed => live(seed, kept))
})
