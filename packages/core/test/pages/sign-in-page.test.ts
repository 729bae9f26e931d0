import type { AuthConfig } from '@siteauth/core'
import type { CredentialInput, Provider } from '@siteauth/core/providers'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const client = { clientId: 'id', clientSecret: 'secret' }

const createVisitor = (config: Partial<AuthConfig>) =>
  new Visitor(createTestAuth({ trustHost: true, ...config }).handle)

const pageOf = async (config: Partial<AuthConfig>, accept = 'en', path = '/signin') =>
  (await createVisitor(config).get(path, { 'accept-language': accept })).text()

describe('an application with a name', () => {
  const theme = { appName: 'Acme & Sons' }

  it('is called by it on every page', async () => {
    const page = await pageOf({ theme })
    expect(page).toContain('<title>Sign In · Acme &amp; Sons</title>')
    expect(page).toContain('<h1>Sign in to <bdi>Acme &amp; Sons</bdi></h1>')
    expect(page).toContain('>Back to <bdi>Acme &amp; Sons</bdi><')
    expect(await pageOf({ theme }, 'de', '/error')).toContain(
      '<title>Fehler · Acme &amp; Sons</title>',
    )
    expect(await pageOf({ theme: { ...theme, logo: '/logo.svg' } })).toContain(
      'alt="Acme &amp; Sons"',
    )
  })

  it('is called by its host if the name is blank', async () => {
    const page = await pageOf({ theme: { appName: ' ' } })
    expect(page).toContain('<title>Sign In</title>')
    expect(page).toContain('to continue to <bdi>app.example.com</bdi>')
  })

  it('is called by it in emails, on one line, with the host in the text', async () => {
    const sent: { subject: string; html: string }[] = []
    const visitor = createVisitor({
      theme: { appName: 'Acme\r\nBcc: eve@example.com' },
      adapter: MemoryAdapter(),
      providers: [
        {
          id: 'mail',
          name: 'Mail',
          type: 'email',
          sendVerificationRequest: ({ message }) => void sent.push(message),
        },
      ],
    })
    await visitor.post('/signin/mail', { email: 'ann@example.com' })
    expect(sent[0]?.subject).toBe('Sign in to Acme Bcc: eve@example.com')
    expect(sent[0]?.html).toContain('sign in to app&#8288;.example&#8288;.com')
  })
})

describe('the labels of fields', () => {
  const labelsOf = async (
    credentials: Record<string, CredentialInput>,
    accept: string,
    config: Partial<AuthConfig> = {},
  ) => {
    const providers = [Credentials({ credentials, authorize: () => null })]
    const page = await pageOf({ providers, ...config }, accept)
    return [...page.matchAll(/<label[^>]*>(.*?)<\/label>/g)].map(([, text]) => text)
  }
  const usual = {
    email: { label: 'E-mail address' },
    user: { label: 'User name' },
    password: { label: 'Password', type: 'password' },
  }

  it('are translated where they are usual ones in English', async () => {
    expect(await labelsOf(usual, 'de')).toEqual(['E-Mail', 'Benutzername', 'Passwort'])
    expect(await labelsOf({ username: {}, password: {} }, 'fr')).toEqual([
      'Nom d’utilisateur',
      'Mot de passe',
    ])
  })

  it('stay as they are on a page in English, and where they are the application’s own', async () => {
    expect(await labelsOf(usual, 'en')).toEqual(['E-mail address', 'User name', 'Password'])
    expect(await labelsOf({ password: { label: 'Kennwort' } }, 'de')).toEqual(['Kennwort'])
    expect(await labelsOf({ email: { label: 'Work email' } }, 'de')).toEqual(['Work email'])
  })

  it('are those of the application’s translations', async () => {
    const translations = { en: { password: 'Passphrase' } }
    expect(await labelsOf(usual, 'en', { translations })).toContain('Passphrase')
  })
})

describe('providers', () => {
  const many = (count: number): Provider[] =>
    Array.from({ length: count }, (_, index) =>
      GitHub({ ...client, id: `hub-${index}`, name: `Hub ${index}` } as never),
    )

  it('make a grid if they are more than six', async () => {
    expect(await pageOf({ providers: many(6) })).not.toContain('class="many"')
    expect(await pageOf({ providers: many(7) })).toContain('class="many"')
  })

  it('are called what they call themselves: Twitter is X', async () => {
    const { default: Twitter } = await import('@siteauth/core/providers/twitter')
    expect(await pageOf({ providers: [Twitter(client)] })).toContain('Sign in with <bdi>X</bdi>')
  })
})

describe('somebody who is signed in already', () => {
  const ann = { id: '1', name: 'Ann', email: 'ann@example.com' }
  const login = Credentials({ credentials: { name: {} }, authorize: () => ann })

  async function signedIn(config: Partial<AuthConfig> = {}) {
    const visitor = createVisitor({ providers: [login], ...config })
    await visitor.post('/callback/credentials')
    return visitor
  }

  it.each(['jwt', 'database'] as const)(
    'is told as whom, with a way on and a way out: %s',
    async strategy => {
      const adapter = MemoryAdapter()
      const user = await adapter.createUser?.({ ...ann, emailVerified: null })
      const found = Credentials({ credentials: {}, authorize: () => user ?? null })
      const visitor = await signedIn({ adapter, providers: [found], session: { strategy } })
      const response = await visitor.get('/signin?callbackUrl=/inbox')
      const page = await response.text()
      expect(response.headers.get('cache-control')).toContain('no-store')
      const panel = /<div class="here">.*?<\/form>/.exec(page)?.[0]
      expect(panel).toContain('<bdi>ann@example.com</bdi>')
      expect(panel).toContain('<a class="button" href="https://app.example.com/inbox">Continue</a>')
      expect(panel).toContain('action="https://app.example.com/auth/signout"')
      await visitor.post('/signout')
      expect(await (await visitor.get('/signin')).text()).not.toContain('class="here"')
    },
  )

  it('is called what the session callback shows of them, which may be nothing', async () => {
    const named = await signedIn({
      callbacks: { session: ({ session }) => ({ ...session, user: { name: 'A.' } }) as never },
    })
    expect(await (await named.get('/signin')).text()).toContain('<bdi>A.</bdi>')
    const nobody = await signedIn({ callbacks: { session: () => null as never } })
    expect(await (await nobody.get('/signin')).text()).not.toContain('class="here"')
  })

  it('can still sign in if nobody can tell who they are', async () => {
    let isDown = false
    const auth = createTestAuth({
      trustHost: true,
      providers: [login],
      callbacks: {
        jwt: ({ token }) => {
          if (isDown) throw new Error('the directory is down')
          return token
        },
      },
    })
    const visitor = new Visitor(auth.handle)
    await visitor.post('/callback/credentials')
    isDown = true
    const response = await visitor.get('/signin')
    expect(response.status).toBe(200)
    expect(await response.text()).not.toContain('class="here"')
    expect(auth.errors.length).toBeGreaterThan(0)
  })

  it('keeps what the jwt callback renewed there', async () => {
    const visitor = await signedIn({
      session: { updateAge: 0 },
      callbacks: {
        jwt: ({ token }) => ({ ...token, count: Number(token['count'] ?? 0) + 1 }),
        session: ({ session, token }) => ({ ...session, count: token['count'] }) as never,
      },
    })
    await visitor.get('/signin')
    expect(await visitor.session()).toMatchObject({ count: 3 })
  })
})
