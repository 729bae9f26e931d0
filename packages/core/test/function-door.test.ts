import { type AuthConfig, type AuthInstance, createAuth } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { describe, expect, it } from 'vitest'
import { recordingLogger, SECRET } from './visitor.ts'

const URL_OF_SITE = 'https://site.example'

function setUp(more: Partial<AuthConfig> = {}) {
  const { logger, errors } = recordingLogger()
  const asked: unknown[] = []
  const auth = createAuth(
    {
      providers: [
        GitHub({ clientId: 'id', clientSecret: 'secret' }),
        Credentials({
          credentials: { password: {} },
          authorize: ({ password }, request) => {
            asked.push(request.url)
            return password === 'right' ? { id: '1', name: 'Ada' } : null
          },
        }),
      ],
      secret: SECRET,
      logger,
      callbacks: {
        jwt: ({ token, session }) => ({ ...token, ...(session as object | undefined) }),
      },
      ...more,
    },
    { env: { NODE_ENV: 'test', AUTH_URL: URL_OF_SITE } },
  )
  return { auth, asked, errors }
}

const page = (more: Record<string, string> = {}) => ({ headers: new Headers(more) })
const right = { password: 'right' }

function cookieOf(setCookies: readonly string[]): string {
  return setCookies.map(line => line.split(';', 1)[0]).join('; ')
}

async function cookieOfAda(auth: AuthInstance): Promise<string> {
  const request = page()
  await auth.signIn(request, 'credentials', right)
  return cookieOf(auth.takeSetCookies(request))
}

describe('signIn', () => {
  it('signs somebody in who is known at once', async () => {
    const { auth } = setUp()
    const request = page()
    const url = await auth.signIn(request, 'credentials', { ...right, redirectTo: '/account' })
    const setCookies = auth.takeSetCookies(request)
    expect(url).toBe(`${URL_OF_SITE}/account`)
    const session = await auth.getSession(page({ cookie: cookieOf(setCookies) }))
    expect(session?.user?.name).toBe('Ada')
  })

  it('tells authorize the endpoint that a form would have been sent to', async () => {
    const { auth, asked } = setUp()
    await auth.signIn(page(), 'credentials', right)
    expect(asked).toEqual([`${URL_OF_SITE}/auth/callback/credentials`])
  })

  it('throws what went wrong, and logs it', async () => {
    const { auth, errors } = setUp()
    const asked = auth.signIn(page(), 'credentials', { password: 'wrong' })
    await expect(asked).rejects.toMatchObject({ type: 'CredentialsSignin' })
    expect(errors).toHaveLength(1)
  })

  it('sends people to a provider, with parameters of the application', async () => {
    const { auth } = setUp()
    const request = page()
    const url = await auth.signIn(request, 'github', {}, { login: 'ada' })
    expect(new URL(url).origin).toBe('https://github.com')
    expect(new URL(url).searchParams.get('login')).toBe('ada')
    expect(cookieOf(auth.takeSetCookies(request))).toContain('authjs.state')
  })

  it.each([undefined, 'nobody'])('sends people to the sign-in page for %s', async provider => {
    const { auth } = setUp()
    const request = page()
    const url = await auth.signIn(request, provider, { redirectTo: '/a' })
    expect(url).toBe(`${URL_OF_SITE}/auth/signin?callbackUrl=%2Fa`)
    expect(auth.takeSetCookies(request)).toEqual([])
  })

  it('returns people to the page of this site that they are on, and to no other', async () => {
    const { auth } = setUp()
    const from = (referer: string) => auth.signIn(page({ referer }), 'credentials', right)
    expect(await from(`${URL_OF_SITE}/b`)).toBe(`${URL_OF_SITE}/b`)
    expect(await from('https://evil.example/b')).toBe(`${URL_OF_SITE}/`)
  })

  it.each<[headers: Record<string, string>, message: RegExp]>([
    [
      { origin: 'https://evil.example' },
      /was sent by a page on https:\/\/evil\.example, not https:\/\/site\.example\..* its origin in trustedOrigins\./,
    ],
    [
      { origin: 'null' },
      /hides its origin \(Origin: null\)\..* the header "Referrer-Policy: same-origin"\./,
    ],
    [
      { 'sec-fetch-site': 'cross-site' },
      /A page on another site led here, not one on https:\/\/site\.example\..* can be listed in trustedOrigins, or send people to the sign-in page/,
    ],
  ])(
    'refuses what a page of another site began, and says what to do: %o',
    async (headers, message) => {
      const { auth, asked } = setUp()
      const call = auth.signIn(page(headers), 'credentials', right)
      await expect(call).rejects.toMatchObject({
        type: 'MissingCSRF',
        message: expect.stringMatching(message),
      })
      expect(asked).toEqual([])
    },
  )

  it('refuses a host that is not trusted', async () => {
    const auth = createAuth(
      { providers: [], secret: SECRET, trustHost: ['site.example'] },
      { env: { NODE_ENV: 'test' } },
    )
    const request = { headers: { host: 'evil.example' } }
    await expect(auth.signIn(request)).rejects.toMatchObject({ type: 'UntrustedHost' })
  })

  it('takes the headers of Node', async () => {
    const { auth } = setUp()
    const referer = `${URL_OF_SITE}/b`
    expect(await auth.signIn({ headers: { referer } }, 'credentials', right)).toBe(referer)
  })
})

describe('signOut', () => {
  it('removes the cookie', async () => {
    const { auth } = setUp()
    const request = page({ cookie: await cookieOfAda(auth) })
    const url = await auth.signOut(request, { redirectTo: '/bye' })
    const setCookies = auth.takeSetCookies(request)
    expect(url).toBe(`${URL_OF_SITE}/bye`)
    expect(setCookies[0]).toMatch(/^__Secure-authjs\.session-token=;.*Max-Age=0/)
  })

  it('refuses what a page of another site began', async () => {
    const { auth } = setUp()
    const call = auth.signOut(page({ origin: 'https://evil.example' }))
    await expect(call).rejects.toMatchObject({ type: 'MissingCSRF' })
  })
})

describe('update', () => {
  it('hands changes to the callbacks, and answers what they make of them', async () => {
    const { auth } = setUp()
    const request = page({ cookie: await cookieOfAda(auth) })
    const session = await auth.update(request, { name: 'Grace' })
    const setCookies = auth.takeSetCookies(request)
    expect(session?.user?.name).toBe('Grace')
    const later = await auth.getSession(page({ cookie: cookieOf(setCookies) }))
    expect(later?.user?.name).toBe('Grace')
  })

  it('answers null to whoever is not signed in', async () => {
    const { auth } = setUp()
    const request = page()
    expect(await auth.update(request, {})).toBeNull()
    expect(auth.takeSetCookies(request)).toEqual([])
  })
})
