import { expect, it } from 'vitest'
import { COOKIE, STRATEGIES } from '../sessions/site.ts'
import { createWorld } from '../tokens/people.ts'
import { rotate } from '../visitor.ts'

it.each(STRATEGIES)(
  'a call acts for nobody if a planted session comes behind one that was rotated a moment ago (%s)',
  async strategy => {
    const { auth, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    const bob = await signIn('bob')
    const cookie = `${ada.cookieHeader()}; ${COOKIE}=${bob.cookies.get(COOKIE)}`
    await rotate(auth, ada)
    const request = () => new Request('https://app.example.com/page', { headers: { cookie } })
    const session = await auth.getSession(request())
    const answer = await auth.accounts.getAccessToken(request(), 'op').then(
      ({ accountId }) => accountId,
      error => error.code,
    )
    expect({ seen: session?.user?.email, answer }).toEqual({
      seen: 'ada@example.test',
      answer: 'not_signed_in',
    })
  },
)
