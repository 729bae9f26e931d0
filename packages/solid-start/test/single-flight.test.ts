import { SiteAuth, type SolidEvent } from '@siteauth/solid-start'
import { describe, expect, it } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { eventOf, runIn, visit } from './visit.ts'

const auth = SiteAuth(config)

/**
 * The event of the page that SolidStart renders for the answer to an action. It writes the `Cookie` header anew: names are
 * trimmed as JavaScript does, values are decoded and written as they are, and cookies that the action has set are added.
 */
function eventOfPage(event: SolidEvent): SolidEvent {
  const cookies = new Map<string, string>()
  for (const pair of (event.request.headers.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at).trim()
    if (at !== -1 && !cookies.has(name))
      cookies.set(name, decodeURIComponent(pair.slice(at + 1).trim()))
  }
  for (const line of event.response.headers.getSetCookie()) {
    const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? []
    if (/max-age=0/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }
  const headers = new Headers()
  for (const pair of cookies) headers.append('cookie', pair.join('='))
  return { ...event, request: new Request('http://localhost/page', { headers }) }
}

/** Who is signed in on that page, for an action that was called with some cookies. */
async function nameOnPage(
  cookie: string,
  action: () => Promise<unknown> = async () => {},
): Promise<string | null | undefined> {
  const headers = { cookie, 'x-server-id': '1', origin: 'http://localhost' }
  const event = eventOf('/_server', { method: 'POST', headers })
  let name: string | null | undefined
  await visit(auth, event, {
    async page() {
      await action()
      const session = await runIn(eventOfPage(event), () => auth.getSession())
      name = session ? session.user?.name : null
      return 'page'
    },
  })
  return name
}

describe('the page that is rendered for an action', () => {
  it.each([
    ['with a no-break space in front of its name', (session: string) => `\u00a0${session}`],
    ['within the value of another', (session: string) => `x=1%3B%20${encodeURIComponent(session)}`],
  ])('knows no session that a sibling host has planted %s', async (_, plant) => {
    const { cookie: ben } = await headersOf('Ben')
    const { cookie: ada } = await headersOf('Ada')
    expect(await nameOnPage(plant(ben))).toBeNull()
    expect(await nameOnPage(`${plant(ben)}; ${ada}`)).toBe('Ada')
    expect(await nameOnPage(`${ada}; ${plant(ben)}`)).toBe('Ada')
  })

  it('knows who the action has signed in or out', async () => {
    const { cookie: ada } = await headersOf('Ada')
    expect(await nameOnPage('', () => auth.signIn('credentials', { name: 'Ada' }))).toBe('Ada')
    expect(await nameOnPage(ada, () => auth.signOut())).toBeNull()
    expect(await nameOnPage(ada)).toBe('Ada')
  })

  it('knows the last of several changes, after a renewal as well', async () => {
    const { cookie: due } = await headersOf('Ada', { daysAgo: 2 })
    const after = (change: () => Promise<unknown>) =>
      nameOnPage(due, async () => {
        await auth.getSession()
        await change()
      })
    expect(await after(() => auth.signOut())).toBeNull()
    expect(await after(() => auth.signIn('credentials', { name: 'Ben' }))).toBe('Ben')
  })
})
