import Credentials from '@siteauth/core/providers/credentials'
import { defineConfig, SvelteKitAuth } from '@siteauth/sveltekit'
import type { Handle, RequestEvent } from '@sveltejs/kit'
import { describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/src/index.ts'
import { whileBuilding } from './kit/environment.ts'
import { env } from './kit/private-env.ts'
import { visit } from './kit/visit.ts'

const SECRET = 'a test secret that is long enough!'
const config = defineConfig({
  secret: SECRET,
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => (name === 'Nobody' ? null : { id: '1', name: `${name}` }),
    }),
  ],
})
const auth = SvelteKitAuth(config)

const DAY = 86_400_000
const PAGE = { accept: 'text/html' }
const OWN_FORM = { ...PAGE, origin: 'http://localhost' }
const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)

async function headersOfAda({ daysAgo = 0 } = {}): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - daysAgo * DAY)
  const ada = { id: '1', name: 'Ada' }
  return (await signInAs(config, ada, { url: 'http://localhost', at, env: { NODE_ENV: 'test' } }))
    .headers
}

describe('a renewed session reaches the browser', () => {
  const readsSession = ({ locals }: RequestEvent) => locals.auth()

  it('from a load function, on an answer that no cache keeps', async () => {
    const headers = await headersOfAda({ daysAgo: 2 })
    const response = await visit(auth.handle, '/', readsSession, { headers })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('from a hook that asks when the page has answered', async () => {
    const handle: Handle = ({ event, resolve }) =>
      auth.handle({
        event,
        async resolve(resolved) {
          const response = await resolve(resolved)
          await resolved.locals.auth()
          return response
        },
      })
    const headers = await headersOfAda({ daysAgo: 2 })
    const response = await visit(handle, '/', () => 'page', { headers })
    expect(response.headers.getSetCookie()).toEqual([SESSION])
  })
})

describe('a guard', () => {
  const guarded = (event: RequestEvent) => auth.requireSession(event)
  const guardingHook: Handle = ({ event, resolve }) =>
    auth.handle({
      event,
      async resolve(resolved) {
        await auth.requireSession(resolved)
        return resolve(resolved)
      },
    })

  it.each([
    ['a load function', auth.handle, guarded],
    ['a hook', guardingHook, () => 'page'],
  ])('in %s sends people to sign in, and tells programs', async (_, handle, page) => {
    const away = await visit(handle, '/account?tab=2', page, { headers: PAGE })
    const callbackUrl = encodeURIComponent('/account?tab=2')
    expect(away.status).toBeGreaterThanOrEqual(302)
    expect(away.headers.get('location')).toMatch(/\/auth\/signin\?callbackUrl=/)
    expect(away.headers.get('location')).toContain(callbackUrl)
    expect(away.headers.get('cache-control')).toContain('no-store')
    const headers = { accept: 'application/json' }
    const refused = await visit(handle, '/account', page, { headers })
    expect([refused.status, await refused.json()]).toEqual([401, { error: 'Unauthorized' }])
  })

  it('leaves it to SvelteKit to tell its own router', async () => {
    const sent = { isDataRequest: true, headers: { accept: '*/*' } }
    const response = await visit(auth.handle, '/account', guarded, sent)
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      expect.stringContaining('/auth/signin'),
    ])
  })

  it('shows people the error page of the application', async () => {
    const headers = { ...PAGE, ...(await headersOfAda()) }
    const page = (event: RequestEvent) => auth.requireSession(event, { allow: () => false })
    const response = await visit(auth.handle, '/admin', page, { headers })
    expect([response.status, await response.text()]).toEqual([403, 'An error page'])
  })
})

describe('a form action', () => {
  const post = (
    fields: Record<string, string>,
    page = (event: RequestEvent) => auth.signIn(event),
  ) =>
    visit(auth.handle, '/signin', page, {
      method: 'POST',
      headers: OWN_FORM,
      body: new URLSearchParams(fields),
    })

  it('signs in by what the form says', async () => {
    const response = await post({ providerId: 'credentials', name: 'Ada', redirectTo: '/account' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('http://localhost/account')
    expect(response.headers.getSetCookie()).toContainEqual(SESSION)
  })

  it('leads to no other site', async () => {
    const elsewhere = 'https://evil.example/'
    const response = await post({ providerId: 'credentials', name: 'Ada', redirectTo: elsewhere })
    expect(response.headers.get('location')).not.toContain('evil.example')
  })

  it('fails where the credentials are wrong', async () => {
    const response = await post({ providerId: 'credentials', name: 'Nobody' })
    expect(await response.json()).toMatchObject({
      status: 401,
      data: { error: 'CredentialsSignin', code: 'credentials' },
    })
  })

  it('leads to the sign-in page if it names no provider', async () => {
    expect((await post({})).headers.get('location')).toContain('/auth/signin')
  })

  it('signs out', async () => {
    const headers = { ...OWN_FORM, ...(await headersOfAda()) }
    const body = new URLSearchParams({ redirectTo: '/bye' })
    const sent = { method: 'POST', headers, body }
    const response = await visit(auth.handle, '/signout', event => auth.signOut(event), sent)
    expect(response.headers.get('location')).toBe('http://localhost/bye')
    expect(response.headers.getSetCookie()).toContain('authjs.session-token=')
  })
})

describe('while pages are prerendered', () => {
  it('nobody is signed in, and no variable is needed', async () => {
    const withoutSecret = SvelteKitAuth({ providers: [] })
    await whileBuilding(async () => {
      const page = ({ locals }: RequestEvent) => locals.auth()
      const response = await visit(withoutSecret.handle, '/', page, {
        headers: await headersOfAda(),
      })
      expect(await response.json()).toBeNull()
    })
  })

  it('a page behind a guard is no page to prerender', async () => {
    await whileBuilding(async () => {
      const page = (event: RequestEvent) => auth.requireSession(event)
      await expect(visit(auth.handle, '/account', page)).rejects.toThrow('prerender = false')
    })
  })

  it.each([
    ['an object', config],
    ['a function', () => config],
  ])('links to the endpoints lead to nothing that is kept, configured by %s', async (_, given) => {
    await whileBuilding(async () => {
      const { status } = await visit(SvelteKitAuth(given).handle, '/auth/signin', () => 'page')
      expect(status).toBe(204)
    })
  })
})

describe('the configuration', () => {
  it('may be made of the first request, once', async () => {
    const asked: string[] = []
    const lazy = SvelteKitAuth(async event => {
      asked.push(event.url.pathname)
      return config
    })
    const headers = await headersOfAda()
    const page = (event: RequestEvent) => lazy.getSession(event)
    await visit(lazy.handle, '/first', page, { headers })
    const response = await visit(lazy.handle, '/second', page, { headers })
    expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
    expect(asked).toEqual(['/first'])
  })

  it('is asked for again if it could not be made', async () => {
    let tries = 0
    const lazy = SvelteKitAuth(async () => {
      if (tries++ === 0) throw new Error('not yet')
      return config
    })
    await expect(visit(lazy.handle, '/', () => 'page')).rejects.toThrow('not yet')
    expect((await visit(lazy.handle, '/', () => 'page')).status).toBe(200)
  })

  it('has the variables that SvelteKit knows, also from .env', async () => {
    const { secret: _, ...withoutSecret } = config
    env['AUTH_SECRET'] = SECRET
    try {
      const known = SvelteKitAuth(withoutSecret)
      const page = (event: RequestEvent) => known.getSession(event)
      const response = await visit(known.handle, '/', page, { headers: await headersOfAda() })
      expect(await response.json()).toMatchObject({ user: { name: 'Ada' } })
    } finally {
      delete env['AUTH_SECRET']
    }
  })
})

it('a hook that was not exported is missed at the first call', async () => {
  const handle: Handle = ({ event, resolve }) => resolve(event)
  const page = (event: RequestEvent) => auth.getSession(event)
  await expect(visit(handle, '/', page)).rejects.toThrow('hooks.server.ts')
})
