import { SvelteKitAuth } from '@siteauth/sveltekit'
import type { RequestEvent } from '@sveltejs/kit'
import { describe, expect, it } from 'vitest'
import { readTrustedCookies } from '../../core/src/lib/http/read-cookies.ts'
import { config } from '../../testing/test/attacked-site.ts'
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
      async fetch(_input, init) {
        const explicit = new Headers(init?.headers).get('cookie')
        inner = init?.credentials === 'omit' ? (explicit ?? '') : headerByKit(cookie, explicit)
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

  it('is not sent if the application omits credentials', async () => {
    const omit: RequestInit = { credentials: 'omit' }
    const load = ({ fetch }: RequestEvent) => fetch('/api/me', omit)
    expect(await innerCookies('\u00a0__Host-a=evil; __Host-a=real', load)).toEqual({})
  })
})
