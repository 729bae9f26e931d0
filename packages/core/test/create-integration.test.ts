import type { AuthConfig } from '@siteauth/core'
import { AuthError } from '@siteauth/core/errors'
import {
  createIntegration,
  type FrameworkAdapter,
  pendingChanges,
  toResponse,
} from '@siteauth/core/integration'
import Credentials from '@siteauth/core/providers/credentials'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { signInAs } from '../../testing/src/index.ts'
import { recordingLogger, SECRET } from './visitor.ts'

const HOME = 'https://app.example.com/'
const ADA = { id: '1', name: 'Ada', email: 'ada@example.com' }
const PAGE = { accept: 'text/html' }

/** The smallest framework there can be: its context is the request. */
function framework(
  more: Partial<AuthConfig> = {},
  hostMore: Partial<FrameworkAdapter<Request, Response>> = {},
) {
  const recorded = recordingLogger()
  const changes = pendingChanges<Request>()
  const host: FrameworkAdapter<Request, Response> = {
    request: request => request,
    change: changes.add,
    respond: (_request, answer) => toResponse(answer),
    env: () => ({}),
    ...hostMore,
  }
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    logger: recorded.logger,
    providers: [
      Credentials({
        credentials: { password: {} },
        authorize: ({ password }) => (password === 'right' ? ADA : null),
      }),
    ],
    ...more,
  }
  return { ...recorded, config, auth: createIntegration(host, config), host, changes }
}

async function requestOfAda(config: AuthConfig, { path = '', days = 0, headers = {} } = {}) {
  const at = new Date(Date.now() - days * 86_400_000)
  const { headers: signedIn } = await signInAs(config, ADA, {
    url: HOME,
    at,
    env: { NODE_ENV: 'test' },
  })
  return new Request(HOME + path, { headers: { ...headers, ...signedIn } })
}

/** A store whose reads of sessions are counted, and can fail. */
function countingStore() {
  const { getAndRenewSession: _, ...adapter } = MemoryAdapter()
  const store = { reads: 0, isDown: false }
  const getSessionAndUser: typeof adapter.getSessionAndUser = token => {
    store.reads++
    if (store.isDown) throw new Error('the password of the database is sesame')
    return adapter.getSessionAndUser(token)
  }
  return { store, adapter: { ...adapter, getSessionAndUser } }
}

describe('a session', () => {
  it('is read once for a request, however many ask', async () => {
    const { store, adapter } = countingStore()
    const { auth, config } = framework({ adapter })
    const request = await requestOfAda(config)
    store.reads = 0
    await Promise.all([
      auth.calls.getSession(request),
      auth.calls.getSession(request),
      auth.guard(request),
    ])
    expect(store.reads).toBe(1)
    await auth.calls.getSession(new Request(request))
    expect(store.reads).toBe(2)
  })

  it('is read again where a request stays open for long', async () => {
    const { store, adapter } = countingStore()
    let now = Date.now()
    const { auth, config } = framework({ adapter, ports: { now: () => now } })
    const request = await requestOfAda(config)
    expect(await auth.calls.getSession(request)).not.toBeNull()
    await adapter.deleteUser(String((await adapter.getUserByEmail(ADA.email))?.id))
    now += 60_000
    store.reads = 0
    expect(await auth.calls.getSession(request)).toBeNull()
    expect(store.reads).toBeGreaterThan(0)
  })

  it('is not renewed once the answer has begun', async () => {
    const { auth, config, changes } = framework({}, { hasBegun: () => true })
    const request = await requestOfAda(config, { days: 2 })
    expect(await auth.calls.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    expect(changes.take(request)).toBeUndefined()
  })

  it('that somebody begins or ends is seen by the rest of the request', async () => {
    const { auth } = framework()
    const request = new Request(HOME, { method: 'POST' })
    expect(await auth.calls.getSession(request)).toBeNull()
    await auth.calls.signIn(request, 'credentials', { password: 'right' })
    expect(await auth.calls.getSession(request)).toMatchObject({ user: { name: 'Ada' } })
    await auth.calls.signOut(request)
    expect(await auth.calls.getSession(request)).toBeNull()
  })
})

it('a sign-out counts, though the session was being renewed at the same time', async () => {
  let isDue = false
  let finish = () => {}
  const reading = new Promise<void>(resolve => {
    finish = resolve
  })
  const { auth, config, changes } = framework({
    callbacks: {
      async session({ session }) {
        if (isDue) await reading
        return session
      },
    },
  })
  const request = await requestOfAda(config, { days: 2 })
  isDue = true
  const asked = auth.calls.getSession(request)
  await auth.calls.signOut(request)
  finish()
  await asked
  const cookies = changes.take(request)?.setCookies.filter(line => /session-token/.test(line))
  expect(cookies).toEqual([expect.stringMatching(/session-token=; Max-Age=0/)])
  expect(await auth.calls.getSession(request)).toBeNull()
})

describe('a guard', () => {
  it('says 503 while the store is down, says why in the log alone, and keeps the cookie', async () => {
    const { store, adapter } = countingStore()
    const { auth, config, errors, changes } = framework({ adapter })
    for (const headers of [PAGE, { accept: 'application/json' }]) {
      store.isDown = false
      const request = await requestOfAda(config, { headers })
      store.isDown = true
      const { denial } = await auth.guard(request)
      expect(denial?.response.status).toBe(503)
      expect(await denial?.response.text()).not.toContain('sesame')
      expect(changes.take(request)).toEqual({ setCookies: [], caching: 'never' })
    }
    expect(errors.map(({ name }) => name)).toEqual(['SessionTokenError', 'SessionTokenError'])
  })

  it('says 500 where the configuration is at fault', async () => {
    const { auth } = framework({ secret: '' })
    const { denial } = await auth.guard(new Request(HOME))
    expect(denial?.response.status).toBe(500)
  })

  it('lets nobody pass for whom the application cannot say', async () => {
    const { auth, config } = framework()
    const fails = auth.guard(await requestOfAda(config), {
      allow: () => Promise.reject(new Error('no roles')),
    })
    await expect(fails).rejects.toThrow('no roles')
  })

  it('shows whoever may not a way to be someone else, which is all it quotes', async () => {
    const { auth, config } = framework()
    const path = `admin?x="><script>alert(1)</script>&callbackUrl=https://evil.example`
    const { denial } = await auth.guard(await requestOfAda(config, { path, headers: PAGE }), {
      allow: () => false,
    })
    const html = await denial?.response.text()
    expect(denial?.response.status).toBe(403)
    expect(html).not.toContain('<script>')
    expect(html).toMatch(/href="\/auth\/signin\?callbackUrl=%2Fadmin[^"<>]*"/)
  })

  it.each([
    'https://app.example.com//evil.example/x',
    'https://app.example.com/%5Cevil.example',
    'https://app.example.com/\\evil.example',
    'https://app.example.com/@evil.example',
  ])('sends a stranger at %s to sign in, and back to this site', async url => {
    const { auth } = framework()
    const { denial } = await auth.guard(new Request(url, { headers: PAGE }))
    const to = new URL(denial?.response.headers.get('location') ?? '', HOME)
    const back = new URL(to.searchParams.get('callbackUrl') ?? '', HOME)
    expect([to.origin, back.origin]).toEqual(Array(2).fill('https://app.example.com'))
  })

  it('sends whoever posted from another site to sign in, and not back there', async () => {
    const { auth } = framework()
    const headers = { ...PAGE, referer: 'https://evil.example/form' }
    const { denial } = await auth.guard(new Request(HOME, { method: 'POST', headers }))
    expect(denial?.response.headers.get('location')).toBe('/auth/signin')
  })

  it('does not exempt the sign-in page', async () => {
    const { auth } = framework({ pages: { signIn: '/login' } })
    const login = new Request(`${HOME}login`, { headers: PAGE })
    const { denial } = await auth.guard(login)
    expect(denial?.response.status).toBe(302)
  })
})

describe('a call', () => {
  it('for a page of another site is refused', async () => {
    const { auth, changes } = framework()
    const headers = { origin: 'https://evil.example' }
    const request = new Request(HOME, { method: 'POST', headers })
    const call = auth.calls.signIn(request, 'credentials', { password: 'right' })
    await expect(call).rejects.toThrow(AuthError)
    expect(changes.take(request)).toBeUndefined()
  })

  it('needs no request where nothing comes with one', async () => {
    const { auth, config } = framework({ adapter: MemoryAdapter() })
    const request = await requestOfAda(config)
    const user = await config.adapter?.getUserByEmail?.(ADA.email)
    await auth.calls.users.endSessions(String(user?.id))
    expect(await auth.calls.getSession(request)).toBeNull()
  })

  it('says that it needs one where the configuration is made of it', async () => {
    const { host, config } = framework()
    const auth = createIntegration(host, () => config)
    await expect(auth.calls.users.endSessions('1')).rejects.toThrow('Pass the context of one')
  })
})

it('a function is asked for the configuration once', async () => {
  const { host, config } = framework()
  const asked: string[] = []
  const auth = createIntegration(host, ({ url }: Request) => {
    asked.push(url)
    return config
  })
  await auth.calls.getSession(new Request(HOME))
  await auth.calls.getSession(new Request(`${HOME}next`))
  expect(asked).toEqual([HOME])
})

describe('a change of an answer', () => {
  const changed = (response: Response, caching: 'never' | 'private') => {
    const changes = pendingChanges<Request>()
    const request = new Request(HOME)
    changes.add(request, { setCookies: ['a=1', 'b=2'], caching })
    changes.add(request, { setCookies: [], caching: 'private' })
    return changes.applyTo(request, response)
  }

  it('leaves cookies of the application, and no cache any', () => {
    const headers = new Headers({ 'cache-control': 'public', 'surrogate-control': 'max-age=9' })
    headers.append('set-cookie', 'own=1')
    const response = changed(new Response('', { headers }), 'never')
    expect(response.headers.getSetCookie()).toEqual(['own=1', 'a=1', 'b=2'])
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
    expect(response.headers.has('surrogate-control')).toBe(false)
  })

  it('leaves to a page that is private what it says of itself', () => {
    const said = { headers: { 'cache-control': 'private, max-age=60' } }
    expect(changed(new Response('', said), 'private').headers.get('cache-control')).toBe(
      'private, max-age=60',
    )
    expect(changed(new Response(''), 'private').headers.get('cache-control')).toBe(
      'private, no-cache',
    )
  })

  it('takes from a page that is private what would have some caches keep it', () => {
    const headers = { 'cache-control': 'private, max-age=60', 'cdn-cache-control': 'max-age=9' }
    const response = changed(new Response('', { headers }), 'private')
    expect(response.headers.has('cdn-cache-control')).toBe(false)
  })

  it('keeps the stream that a body is', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const response = changed(new Response(readable), 'never')
    const writer = writable.getWriter()
    const reading = response.text()
    await writer.write(new TextEncoder().encode('one, '))
    await writer.write(new TextEncoder().encode('two'))
    await writer.close()
    expect(await reading).toBe('one, two')
  })
})
