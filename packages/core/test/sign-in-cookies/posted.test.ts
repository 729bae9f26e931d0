import { describe, expect, it } from 'vitest'
import { startSite } from '../security/site-with-provider.ts'
import type { Visitor } from '../visitor.ts'

// A response that a provider posts is stored in a cookie until the browser has followed a redirect. Another site can post as well,
// whenever and as often as it likes.

/** What servers accept, without the room that a session needs. */
const WITH_ROOM_FOR_OTHERS = 7424
const FORM = 'x'.repeat(1900)

/** A site whose provider posts its responses, with these checks. */
function startPosting(checks: readonly string[]) {
  const { settings } = startSite({})
  const [provider] = settings.providers as readonly { authorization: string }[]
  const authorization = {
    url: provider?.authorization ?? '',
    params: { response_mode: 'form_post' },
  }
  return startSite({ providers: [{ ...provider, checks, authorization } as never] })
}

/** Browsers send cookies with a form of another site only if these were made for it. */
function cookiesForForm({ cookies }: Visitor): string {
  const sent = [...cookies].filter(([name]) => name.startsWith('__Host-authjs.state'))
  return sent.map(pair => pair.join('=')).join('; ')
}

function postForm(
  visitor: Visitor,
  fields: Record<string, string>,
  cookie = cookiesForForm(visitor),
): Promise<Response> {
  const headers = { origin: 'https://other.test', 'sec-fetch-site': 'cross-site', cookie }
  return visitor.send('/callback/op', {
    method: 'POST',
    headers,
    body: new URLSearchParams({ ...fields, session_state: FORM }),
  })
}

const whereTo = (response: Response) => response.headers.get('location') ?? ''

describe.each([['pkce'], ['none']])('forms of another site, with the checks %s,', check => {
  it('neither fill the cookies of the browser nor end an attempt', async () => {
    const { visitor, begin, agree } = startPosting([check]).enter()
    const begun = [await begin(), await begin()]
    for (let n = 0; n < 8; n++) {
      await postForm(visitor, { code: 'mallory', state: `${n}`.padStart(12, 'm') })
    }
    expect(visitor.cookieHeader().length).toBeLessThan(WITH_ROOM_FOR_OTHERS)
    const { searchParams } = new URL(agree(begun[1] ?? new URL(''), 'ann'))
    await visitor.send(whereTo(await postForm(visitor, { ...Object.fromEntries(searchParams) })))
    expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
  })
})

it.each([2, 3, 4])(
  '%d responses that are posted at once leave cookies that fit, and the last signs in',
  async count => {
    const { visitor, begin, agree } = startPosting(['state', 'pkce']).enter()
    const begun: URL[] = []
    for (let tab = 0; tab < count; tab++) begun.push(await begin())
    const cookie = cookiesForForm(visitor)
    const posted: Response[] = []
    for (const url of begun) {
      const { searchParams } = new URL(agree(url, 'ann'))
      posted.push(await postForm(visitor, Object.fromEntries(searchParams), cookie))
    }
    expect(visitor.cookieHeader().length).toBeLessThan(WITH_ROOM_FOR_OTHERS)
    const locations = []
    for (const response of posted) locations.push(whereTo(await visitor.send(whereTo(response))))
    expect(locations.at(-1)).toBe('https://app.example.com')
    expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
  },
)
