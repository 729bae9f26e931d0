import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { Visitor } from '../visitor.ts'
import { ANN, SECRET } from './fixtures.ts'
import { type Library, ours, theirs } from './libraries.ts'

/** A token of the session that version 4 made with the same secret. */
const V4_TOKEN =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0.._umLPxKxHqgYosRz.CtuuYc2mrK8lrBZceKS6lfmcDCt2GewW47hcbJrSCezZixo7YQd_fFsBZwWidBoDHQkDw1LklEjRveeOWkb6ckKfqLwFkXHE_Ot11NdUkbMC2Nw2OnhOTUaKSYxohUW4mrDwzkplGw.X1mCdgcXRo-TTtrgCyZ5MA'

/** One application, which one library runs and then the other. */
function createSite(first: Library) {
  let library = first
  const adapter = MemoryAdapter()
  const links: URL[] = []
  const answer = async (request: Request, more: Partial<AuthConfig> = {}) =>
    library.core.Auth(request, {
      secret: SECRET,
      trustHost: true,
      basePath: '/auth',
      adapter,
      session: { strategy: 'jwt' },
      logger: { error() {}, warn() {}, debug() {} },
      providers: [
        library.Credentials({ credentials: {}, authorize: () => ANN }),
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          maxAge: 3600,
          sendVerificationRequest: ({ url }) => void links.push(new URL(url)),
        },
        {
          id: 'hub',
          name: 'Hub',
          type: 'oauth',
          clientId: 'id',
          clientSecret: 'secret',
          checks: ['state', 'pkce'],
          authorization: 'https://hub.example/authorize',
          token: 'https://hub.example/token',
          userinfo: 'https://hub.example/userinfo',
        },
      ],
      ...more,
    } as AuthConfig) as Promise<Response>
  const swap = (next: Library) => {
    library = next
  }
  return { visitor: new Visitor(answer), answer, adapter, links, swap }
}

describe.each([
  ['to this library', theirs, ours],
  ['back to the one before', ours, theirs],
] as const)('after a swap %s', (_, before, after) => {
  it('people are still signed in', async () => {
    const { visitor, swap } = createSite(before)
    await visitor.post('/callback/credentials')
    swap(after)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN.email } })
  })

  it('forms that are open can be sent', async () => {
    const { visitor, swap } = createSite(before)
    const csrfToken = await visitor.csrfToken()
    swap(after)
    const body = new URLSearchParams({ csrfToken })
    await visitor.send('/callback/credentials', { method: 'POST', body })
    expect(await visitor.session()).toMatchObject({ user: { email: ANN.email } })
  })

  it('links that were sent sign in', async () => {
    const { visitor, links, swap } = createSite(before)
    await visitor.post('/signin/mail', { email: ANN.email })
    swap(after)
    const link = links[0] ?? new URL('about:blank')
    const opened = await visitor.send(link.href)
    if (opened.status === 200) await visitor.confirmLink(link)
    expect(await visitor.session()).toMatchObject({ user: { email: ANN.email } })
  })
})

describe('a sign-in at a provider that was begun before a swap back', () => {
  it('has to be begun again', async () => {
    const { visitor, swap } = createSite(ours)
    const begun = await visitor.post('/signin/hub')
    const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? ''
    swap(theirs)
    const answer = await visitor.get(`/callback/hub?code=code&state=${encodeURIComponent(state)}`)
    expect(answer.headers.get('location')).toContain('/auth/error?')
    expect(await visitor.session()).toBeNull()
  })
})

describe('somebody who signed in with version 4', () => {
  const read = async (cookie: string, config: Partial<AuthConfig>, site = createSite(ours)) => {
    const request = new Request('https://app.example.com/auth/session', { headers: { cookie } })
    return (await site.answer(request, config)).json()
  }
  const name = '__Secure-next-auth.session-token'
  const cookies = { sessionToken: { name, options: { secure: true } } }

  it('signs in once more if sessions are tokens, under whichever name', async () => {
    expect(await read(`${name}=${V4_TOKEN}`, {})).toBeNull()
    expect(await read(`${name}=${V4_TOKEN}`, { cookies })).toBeNull()
  })

  it('stays signed in if sessions are in a database and the cookie keeps its name', async () => {
    const site = createSite(ours)
    const user = await site.adapter.createUser?.({ ...ANN, emailVerified: null })
    const expires = new Date(Date.now() + 3_600_000)
    const sessionToken = '6f3c2f9e-8d5b-4f0e-9d43-0c8f4f6c2b11'
    await site.adapter.createSession?.({ sessionToken, userId: user?.id ?? '', expires })
    const inDatabase: Partial<AuthConfig> = { session: { strategy: 'database' } }
    const held = `${name}=${sessionToken}`
    expect(await read(held, inDatabase, site)).toBeNull()
    expect(await read(held, { ...inDatabase, cookies }, site)).toMatchObject({
      user: { email: ANN.email },
    })
  })
})
