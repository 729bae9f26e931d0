import { SvelteKitAuth } from '@siteauth/sveltekit'
import type { RequestEvent } from '@sveltejs/kit'
import { describe, expect, it } from 'vitest'
import { readTrustedCookies } from '../../core/src/lib/http/read-cookies.ts'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import { visit } from './kit/visit.ts'

const auth = SvelteKitAuth(config)

/** The `Cookie` header that SvelteKit writes: names are trimmed as JavaScript does, and what is sent explicitly counts. */
function headerByKit(sent: string, explicit: string | null): string {
  const read = (header: string) =>
    new Map(
      header
        .split(';')
        .filter(pair => pair.includes('='))
        .map(pair => {
          const at = pair.indexOf('=')
          return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()] as const
        })
        .reverse(), // the first of several counts
    )
  const all = new Map([...read(sent), ...read(explicit ?? '')])
  return [...all].map(pair => pair.join('=')).join('; ')
}

/** The request that SvelteKit makes: it ignores the second argument if the first is a request. */
function asKit(input: RequestInfo | URL, init: RequestInit | undefined): Request {
  return input instanceof Request ? input : new Request(new URL(input, 'http://localhost'), init)
}

/** The trusted cookies of a request that a load function makes of the site itself, for a page that came with `cookie`. */
async function innerCookies(
  cookie: string,
  load: (event: RequestEvent) => Promise<unknown> = ({ fetch }) => fetch('/api/me'),
): Promise<Record<string, string>> {
  let inner = ''
  await visit(
    auth.handle,
    '/',
    async event => {
      await load(event)
      return new Response('page')
    },
    {
      headers: { cookie },
      async fetch(input, init) {
        const { headers, credentials } = asKit(input, init)
        const explicit = headers.get('cookie')
        inner = credentials === 'omit' ? (explicit ?? '') : headerByKit(cookie, explicit)
        return new Response()
      },
    },
  )
  const found = readTrustedCookies(inner, '__Host-').filter(({ value }) => value !== '')
  return Object.fromEntries(found.map(({ name, value }) => [name, value]))
}

describe('a cookie of a sibling host, in a request that the application makes of itself', () => {
  it.each([
    ['\u00a0__Host-a=evil', {}],
    ['__Host-a\u00a0=evil', {}],
    ['\u00a0__Host-a=evil; __Host-a=real', { '__Host-a': 'real' }],
    ['__Host-a=real; \u00a0__Host-a=evil', { '__Host-a': 'real' }],
    ['__Host-a=1; __Host-a=2', {}],
    ['__Host-a=real; b=1', { '__Host-a': 'real' }],
    ['\u00a0__Host-a=evil; __Host-b=real', { '__Host-b': 'real' }],
  ])('is none with the prefix: %j', async (cookie, trusted) => {
    expect(await innerCookies(cookie)).toEqual(trusted)
  })

  it('does not take the place of what the application has set or sends', async () => {
    const cookie = '\u00a0__Host-a=evil; \u00a0__Host-b=evil'
    const trusted = await innerCookies(cookie, ({ fetch }) =>
      fetch('/api/me', { headers: { cookie: '__Host-a=own' } }),
    )
    expect(trusted).toEqual({ '__Host-a': 'own' })
  })

  it.each(['http://localhost:9604/x', 'http://inner.localhost/x'])(
    'is none with the prefix at %s, to which SvelteKit sends cookies as well',
    async url => {
      const load = ({ fetch }: RequestEvent) => fetch(url)
      expect(await innerCookies('\u00a0__Host-a=evil; b=1', load)).toEqual({})
      expect(await innerCookies('\u00a0__Host-a=evil; __Host-a=real', load)).toEqual({
        '__Host-a': 'real',
      })
    },
  )

  it('is none with the prefix if the application sends a Request', async () => {
    const load = ({ fetch }: RequestEvent) => fetch(new Request('http://localhost/api/me'))
    expect(await innerCookies('\u00a0__Host-a=evil; b=1', load)).toEqual({})
  })

  it('is not sent if the application omits credentials', async () => {
    const omit: RequestInit = { credentials: 'omit' }
    const load = ({ fetch }: RequestEvent) => fetch('/api/me', omit)
    expect(await innerCookies('\u00a0__Host-a=evil; __Host-a=real', load)).toEqual({})
  })
})

describe('a session, in a request that the application makes of itself', () => {
  const SESSION = 'authjs.session-token'

  /** Who is signed in to an inner request, and the cookies that its answer sets. */
  async function innerAnswer(
    cookie: string,
    load: (event: RequestEvent) => Promise<Response> = ({ fetch }) => fetch('/api/me'),
  ): Promise<readonly [name: unknown, setCookies: readonly string[]]> {
    let answered: Response | undefined
    await visit(
      auth.handle,
      '/',
      async event => {
        answered = await load(event)
        return new Response('page')
      },
      {
        headers: { cookie },
        async fetch(input, init) {
          const { headers } = asKit(input, init)
          headers.set('cookie', headerByKit(cookie, headers.get('cookie')))
          const me = async (event: RequestEvent) => (await auth.getSession(event))?.user?.name
          const given = { headers: Object.fromEntries(headers), isSubRequest: true }
          return visit(auth.handle, '/api/me', me, given)
        },
      },
    )
    return [await answered?.json(), answered?.headers.getSetCookie() ?? []]
  }

  it.each([
    ['in front', (own: string) => `${SESSION}=planted; ${own}`],
    ['behind', (own: string) => `${own}; ${SESSION}=planted`],
    ['with a no-break space', (own: string) => `\u00a0${SESSION}=planted; ${own}`],
    ['as a part', (own: string) => `${SESSION}.0=planted; ${own}`],
  ])('is neither hidden nor ended by a cookie that was planted %s', async (_, plant) => {
    const { cookie } = await headersOf('Ada')
    expect(await innerAnswer(plant(cookie))).toEqual(['Ada', []])
    const load = ({ fetch }: RequestEvent) => fetch(new Request('http://localhost/api/me'))
    expect(await innerAnswer(plant(cookie), load)).toEqual(['Ada', []])
  })

  it('is the one that the application sends, if it sends one', async () => {
    const [{ cookie: ada }, { cookie: ben }] = [await headersOf('Ada'), await headersOf('Ben')]
    const load = ({ fetch }: RequestEvent) => fetch('/api/me', { headers: { cookie: ben } })
    expect((await innerAnswer(`${SESSION}=planted; ${ada}`, load))[0]).toBe('Ben')
  })

  it('is not chosen by a header from outside', async () => {
    const { cookie } = await headersOf('Ada')
    const me = async (event: RequestEvent) => (await auth.getSession(event))?.user?.name
    const headers = { cookie, 'x-siteauth-inner': 'anything' }
    expect(await (await visit(auth.handle, '/', me, { headers })).json()).toBe('Ada')
  })
})
