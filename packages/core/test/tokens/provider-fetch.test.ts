import { describe, expect, it } from 'vitest'
import { createWorld, requestOf } from './people.ts'
import { API } from './rotating-provider.ts'

const ELSEWHERE = 'https://files.test/download'

interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: unknown
}

/**
 * An API that sends its callers elsewhere, asked by a runtime that follows with all headers, as some do: unless
 * it is told not to follow.
 */
async function withRedirect(to: string, status = 302) {
  const sent: Sent[] = []
  const world = createWorld()
  const careless: typeof fetch = async (input, init) => {
    const url = String(input)
    const { method = 'GET', headers, body } = init ?? {}
    sent.push({ url, method, headers: new Headers(headers), body })
    if (url !== `${API}/moved`) return answer(url, init)
    const moved = new Response(null, { status, headers: { location: to } })
    return init?.redirect === 'manual' ? moved : careless(new URL(to, url), init)
  }
  const answer: typeof fetch = async (input, init) =>
    String(input).startsWith(ELSEWHERE) ? new Response('a file') : world.provider.fetch(input, init)
  const auth = world.node({ ports: { now: () => world.clock.now, fetch: careless } })
  const ada = await world.signIn('ada')
  const ask = (init?: RequestInit) =>
    auth.accounts.fetch(requestOf(ada), 'op', `${API}/moved`, init)
  return { ...world, sent, ask }
}

describe('a redirect', () => {
  it('to another origin gets no token, whatever the runtime does', async () => {
    const { sent, ask } = await withRedirect(ELSEWHERE)
    const headers = { cookie: 'secret=1', accept: 'image/png' }
    const response = await ask({ headers })
    expect(await response.text()).toBe('a file')
    const [, last] = sent
    expect(last?.url).toBe(ELSEWHERE)
    expect(last?.headers.get('accept')).toBe('image/png')
    expect([last?.headers.get('authorization'), last?.headers.get('cookie')]).toEqual([null, null])
  })

  it('back from another origin gets none either', async () => {
    const world = createWorld()
    const hops = [`${ELSEWHERE}/1`, API]
    const seen: (string | null)[] = []
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      seen.push(new Headers(init?.headers).get('authorization'))
      const location = hops.shift()
      return location
        ? new Response(null, { status: 307, headers: { location } })
        : new Response('done')
    }
    const auth = world.node({ ports: { now: () => world.clock.now, fetch } })
    const ada = await world.signIn('ada')
    await auth.accounts.fetch(requestOf(ada), 'op', API)
    expect(seen).toEqual(['Bearer access-ada-1', null, null])
  })

  it('within the origin keeps it', async () => {
    const { ask } = await withRedirect('/me')
    expect(await (await ask()).json()).toMatchObject({ id: 'ada' })
  })

  it.each([
    [303, 'GET', null],
    [302, 'GET', null],
    [307, 'POST', 'a note'],
    [308, 'POST', 'a note'],
  ])('with status %i is asked for by %s', async (status, method, body) => {
    const { sent, ask } = await withRedirect('/me', status)
    await ask({ method: 'POST', body: 'a note', headers: { 'content-type': 'text/plain' } })
    const last = sent.at(-1)
    expect(last).toMatchObject({ url: API, method })
    expect(last?.body ?? null).toBe(body)
    expect(last?.headers.has('content-type')).toBe(body !== null)
  })

  it('is shown to a caller who wants to see it', async () => {
    const { sent, ask } = await withRedirect(ELSEWHERE)
    const response = await ask({ redirect: 'manual' })
    expect([response.status, sent.length]).toEqual([302, 1])
  })

  it('that leads round in a circle ends', async () => {
    const { ask } = await withRedirect(`${API}/moved`)
    await expect(ask()).rejects.toThrow('redirects')
  })

  it('to a place that wants another token refreshes none', async () => {
    const { provider, ask } = await withRedirect('https://other.test/me')
    expect((await ask()).status).toBe(401)
    expect(provider.refreshes()).toBe(0)
  })
})

describe('a body that can be sent once', () => {
  it('is not sent again empty', async () => {
    const { auth, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.forgetAccessTokens()
    async function* parts() {
      yield new TextEncoder().encode('once')
    }
    const body = parts() as unknown as ReadableStream // Node takes it as well
    const response = await auth.accounts.fetch(requestOf(ada), 'op', API, {
      method: 'POST',
      body,
    })
    expect(response.status).toBe(401)
    expect(provider.refreshes()).toBe(0)
  })
})

describe('a URL', () => {
  it.each([
    '//evil.test/me',
    '/me',
    'javascript:alert(1)',
    'http://op.test/me',
    'https://op.test@evil.test/me',
  ])('such as %s gets no token', async url => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    await expect(auth.accounts.fetch(requestOf(ada), 'op', url)).rejects.toThrow('https URL')
  })
})
