import { expect, it } from 'vitest'
import { at } from '../revocation/network.ts'
import { createSite, isIn, STRATEGIES } from '../sessions/site.ts'
import { Visitor } from '../visitor.ts'

const MINUTE = 60_000

/** A site with a server whose clock is ahead. The log has the right time, as all others. */
async function createWorld(strategy: (typeof STRATEGIES)[number], ahead: number) {
  const links: URL[] = []
  const mail = {
    id: 'own',
    name: 'Own',
    type: 'email' as const,
    maxAge: 3600,
    // The token does not say when it was made.
    generateVerificationToken: () => 'ABC-DEF-123456',
    sendVerificationRequest: ({ url }: { url: string }) => void links.push(new URL(url)),
  }
  const site = await createSite(strategy, {}, { providers: [mail] })
  const fast = site.node({ ports: { now: () => site.clock.now + ahead } })
  return { site, fast, links }
}

it.each(STRATEGIES.flatMap(strategy => [0, 0.5, 3, 4.5].map(ahead => [strategy, ahead] as const)))(
  'a link with a token of the application is over once its user was signed out everywhere: %s, from a clock ahead by %d min',
  async (strategy, ahead) => {
    const { site, fast, links } = await createWorld(strategy, ahead * MINUTE)
    const thief = new Visitor(fast.handle)
    await thief.post('/signin/own', { email: 'ann@example.test' })
    site.clock.now += (ahead * MINUTE) / 3 + 1000
    await site.auth.users.endSessions('ann')
    site.clock.now += (ahead * MINUTE) / 3 + 1000
    const late = at(site.auth, thief)
    await late.openLink(links[0] as URL)
    expect(await isIn(late)).toBe(false)
  },
)

it.each(STRATEGIES)(
  'a link with a token of the application signs in five minutes after its user was signed out everywhere: %s',
  async strategy => {
    const { site, links } = await createWorld(strategy, 0)
    await site.auth.users.endSessions('ann')
    site.clock.now += 5 * MINUTE + 1
    const visitor = site.visitor()
    await visitor.post('/signin/own', { email: 'ann@example.test' })
    site.clock.now += MINUTE
    await visitor.openLink(links[0] as URL)
    expect(await isIn(visitor)).toBe(true)
  },
)
