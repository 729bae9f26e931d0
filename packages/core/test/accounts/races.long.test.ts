import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Visitor } from '../visitor.ts'
import { agreeAt, askForLink, usePasskey } from './steps.ts'
import {
  ADDRESS,
  createWorld,
  type Person,
  type ProviderId,
  type Setting,
  userIn,
  type World,
} from './world.ts'

// Several requests at once: each call of the store waits until the test lets it go on, in every order
// that fast-check comes up with.

const RUNS = 12

const DATABASE = { strategy: 'database', email: true } as const
const SETTINGS: readonly Setting[] = [
  { ...DATABASE, methods: 'ours' },
  { ...DATABASE, methods: 'published' },
  { strategy: 'jwt', email: true, methods: 'ours' },
]

/** Goes to a provider and agrees there. Answers how to come back. */
async function goTo(...given: Parameters<typeof agreeAt>) {
  const back = await agreeAt(...given)
  return () => given[1].send(back.href)
}

async function makePasskey(world: World, browser: Visitor, who: Person) {
  const answer = await usePasskey(world, browser, who, 'register')
  if (!answer) throw new Error('nobody is asked for a passkey')
  return answer
}

/** Lets requests run at once, and all of what they ask of the store in the order of the scheduler. */
async function atOnce(world: World, s: fc.Scheduler, requests: (() => Promise<Response>)[]) {
  const direct = world.ask
  let turn = 0
  world.ask = call => s.schedule(Promise.resolve(), `call ${turn++}`).then(call)
  const all = Promise.all(requests.map(request => request()))
  await s.waitFor(all)
  world.ask = direct
  return all
}

/** Everybody who can get into a user by what is stored. */
async function inhabitants({ store, devices }: World, userId: string): Promise<string[]> {
  const accounts = await store.listAccounts(userId)
  const keys = await store.listAuthenticatorsByUserId(userId)
  const isAnns = (id: string) => devices.ann.keys.some(key => key.id.toString('base64') === id)
  return [
    ...accounts.filter(({ type }) => type !== 'webauthn').map(each => each.providerAccountId),
    ...keys.map(({ credentialID }) => (isAnns(credentialID) ? 'ann' : 'mallory')),
  ]
}

describe.each(SETTINGS)('$strategy sessions, the methods of $methods', setting => {
  it('nobody slips into a user in the moment in which its owner proves the address', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async s => {
        const world = await createWorld(setting)
        const { 'ann 1': ann, 'mallory 1': mallory, 'mallory 2': again } = world.browsers
        await (await goTo(world, mallory, 'loose', 'mallory', ADDRESS.ann))()
        await atOnce(world, s, [
          await askForLink(world, ann, 'ann'),
          await goTo(world, again, 'loose', 'mallory', ADDRESS.ann),
          await goTo(world, mallory, 'careful', 'mallory'),
          await makePasskey(world, mallory, 'mallory'),
        ])
        const annId = await userIn(ann)
        expect(annId).not.toBeNull()
        expect(await inhabitants(world, annId ?? '')).not.toContain('mallory')
        for (const browser of [mallory, again]) expect(await userIn(browser)).not.toBe(annId)
      }),
      { numRuns: RUNS },
    )
  })

  it('two links for a new address both sign in, as the same user', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async s => {
        const world = await createWorld(setting)
        const { 'ann 1': one, 'ann 2': two } = world.browsers
        await atOnce(world, s, [
          await askForLink(world, one, 'ann'),
          await askForLink(world, two, 'ann'),
        ])
        expect(await userIn(one)).not.toBeNull()
        expect(await userIn(two)).toBe(await userIn(one))
      }),
      { numRuns: RUNS },
    )
  })

  it('a link and a provider that may link both sign in, as the same user', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async s => {
        const world = await createWorld(setting)
        const { 'ann 1': one, 'ann 2': two } = world.browsers
        await atOnce(world, s, [
          await askForLink(world, one, 'ann'),
          await goTo(world, two, 'vouching', 'ann'),
        ])
        expect(await userIn(one)).not.toBeNull()
        expect(await userIn(two)).not.toBeNull()
      }),
      { numRuns: RUNS },
    )
  })

  it('a link is never spent for nothing beside a sign-up with any provider', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom<ProviderId>('careful', 'loose'),
        async (s, provider) => {
          const world = await createWorld(setting)
          const { 'ann 1': one, 'ann 2': two } = world.browsers
          const answers = await atOnce(world, s, [
            await askForLink(world, one, 'ann'),
            await goTo(world, two, provider, 'ann'),
          ])
          expect(await userIn(one)).not.toBeNull()
          for (const answer of answers) {
            expect(answer.headers.get('location')).not.toContain('error=Configuration')
          }
        },
      ),
      { numRuns: RUNS },
    )
  })
})
