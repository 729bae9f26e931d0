import { describe, expect, it } from 'vitest'
import { agreeAt, signIn, usePasskey } from '../accounts/steps.ts'
import { ADDRESS, createWorld, userIn } from '../accounts/world.ts'
import { SESSION_COOKIE } from '../spec/application.ts'
import type { Visitor } from '../visitor.ts'

/** The positions in the `Cookie` header that a sibling host can choose, by paths and by when it sets the cookie. */
const POSITIONS = {
  'in front of': (own: string, planted: string) => `${planted}; ${own}`,
  behind: (own: string, planted: string) => `${own}; ${planted}`,
  // More of one name than are looked at, with the own in the middle.
  'on many paths around': (own: string, planted: string) => around(own, planted, () => planted),
  'among others, in front of and behind': (own: string, planted: string) =>
    around(own, planted, at => `${SESSION_COOKIE}=other${at}`),
}

function around(own: string, planted: string, filler: (at: number) => string): string {
  return [planted, filler(1), filler(2), filler(3), filler(4), own, filler(5)].join('; ')
}

/** Makes a browser send a session of another one beside its own cookies. */
function plantSession(
  from: Visitor,
  into: Visitor,
  place: (own: string, planted: string) => string,
): void {
  const planted = `${SESSION_COOKIE}=${from.cookies.get(SESSION_COOKIE)}`
  const own = () => [...into.cookies].map(pair => pair.join('=')).join('; ')
  into.cookieHeader = () => place(own(), planted)
}

describe.each(['jwt', 'database'] as const)('with %s sessions', strategy => {
  describe.each(Object.keys(POSITIONS) as (keyof typeof POSITIONS)[])(
    'an attacker’s session %s the own',
    position => {
      async function begin() {
        const world = await createWorld({ methods: 'ours', email: true, strategy })
        const { 'ann 1': ann, 'mallory 1': mallory } = world.browsers
        const annId = await signIn(world, ann, 'vouching', 'ann')
        const malloryId = await signIn(world, mallory, 'vouching', 'mallory')
        plantSession(mallory, ann, POSITIONS[position])
        const accountsOf = async (userId: string | null) =>
          (await world.store.listAccounts(userId ?? '')).map(
            ({ provider, providerAccountId }) => `${provider} ${providerAccountId}`,
          )
        return { world, ann, mallory, annId, malloryId, accountsOf }
      }

      it('adds no account to the user of the attacker', async () => {
        const { world, ann, malloryId, accountsOf } = await begin()
        await ann.post('/signin/loose')
        const back = await agreeAt(world, ann, 'loose', 'ann', ADDRESS.ann)
        await ann.send(back.href)
        expect(await accountsOf(malloryId)).toEqual(['vouching mallory'])
      })

      it('has the user asked to sign in again before an account is added', async () => {
        const { ann } = await begin()
        const asked = await ann.post('/signin/loose')
        expect(asked.headers.get('location')).toBe(
          'https://app.example.com/auth/signin?error=ReauthenticationRequired',
        )
      })

      it('adds no account to the user of the attacker if it is planted meanwhile', async () => {
        const { world, ann, malloryId, annId, accountsOf } = await begin()
        const send = ann.cookieHeader
        // Ann began without it, as a user who adds an account.
        ann.cookieHeader = () => [...ann.cookies].map(pair => pair.join('=')).join('; ')
        const back = await agreeAt(world, ann, 'loose', 'ann', ADDRESS.ann)
        ann.cookieHeader = send
        await ann.send(back.href)
        expect(await accountsOf(malloryId)).toEqual(['vouching mallory'])
        expect(await accountsOf(annId)).toEqual(['vouching ann'])
      })

      it('adds no passkey to the user of the attacker', async () => {
        const { world, ann, malloryId, accountsOf } = await begin()
        await (await usePasskey(world, ann, 'ann', 'register'))?.()
        expect(await accountsOf(malloryId)).toEqual(['vouching mallory'])
      })

      it('is gone with the own after signing out', async () => {
        const { ann, mallory } = await begin()
        await ann.post('/signout')
        expect([await userIn(ann), await userIn(mallory)]).toEqual([null, null])
      })
    },
  )

  it('a second session of the same user is not contested', async () => {
    const world = await createWorld({ methods: 'ours', email: true, strategy })
    const { 'ann 1': ann, 'ann 2': other } = world.browsers
    const annId = await signIn(world, ann, 'vouching', 'ann')
    await signIn(world, other, 'vouching', 'ann')
    plantSession(other, ann, POSITIONS.behind)
    const back = await agreeAt(world, ann, 'loose', 'ann', ADDRESS.ann)
    await ann.send(back.href)
    const accounts = await world.store.listAccounts(annId ?? '')
    expect(accounts.map(({ provider }) => provider)).toContain('loose')
  })
})
