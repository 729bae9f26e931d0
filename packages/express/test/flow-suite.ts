import type { Adapter, VerificationToken } from '@siteauth/core/adapters'
import type { EmailConfig, OIDCConfig } from '@siteauth/core/providers'
import { type ExpressAuthConfig, type Profile, SiteAuth } from '@siteauth/express'
import type { Express } from 'express'
import { describe, expect, it } from 'vitest'
import { startRealProvider } from '../../core/test/oauth/real-provider.ts'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import type { Visitor } from '../../core/test/visitor.ts'
import { configure, versions } from './server.ts'

/** An application that browsers can reach. */
export interface Stage {
  /** What browsers find the application at, without a slash at its end. */
  readonly site: string
  readonly visit: (base: string) => Visitor
  /** What is left of the path of the site when requests arrive. */
  readonly prefix: string
  /** What the application must be told about where it is. */
  readonly config: Partial<ExpressAuthConfig>
}

/** Every way to sign in, over real HTTP, on both versions of Express. */
export function describeFlows(where: string, open: (app: Express) => Promise<Stage>): void {
  describe.each(versions)(`$name ${where}`, { timeout: 30_000 }, ({ express }) => {
    /** An application, and a visitor. Providers may need to know where it is. */
    async function start(configureFor: (base: string) => Partial<ExpressAuthConfig> = () => ({})) {
      const app = express()
      const stage = await open(app)
      const base = `${stage.site}/auth`
      const config = configure({ ...stage.config, ...configureFor(base) })
      const router = express.Router()
      const auth = SiteAuth(config)
      router.use('/auth', auth.handler)
      router.get('/who', async (req, res) => void res.json(await auth.getSession(req)))
      router.get('/account', auth.requireSession(), (_req, res) => void res.send('account'))
      app.use(stage.prefix || '/', router)
      const visitor = stage.visit(base)
      const who = async (): Promise<unknown> => (await visitor.get(`${stage.site}/who`)).json()
      return { base, config, site: stage.site, visitor, who }
    }

    function expectGuarded(site: string, visitor: Visitor): void {
      const secure = site.startsWith('https:')
      for (const name of visitor.cookies.keys()) {
        expect(/^__(Secure|Host)-/.test(name)).toBe(secure)
      }
    }

    it('lets cookies travel over HTTPS only where that is the way they came', async () => {
      const { site, visitor } = await start(() => ({}))
      const lines = (await visitor.get('/signin')).headers.getSetCookie()
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) expect(/; Secure\b/i.test(line)).toBe(site.startsWith('https:'))
    })

    for (const strategy of ['jwt', 'database'] as const) {
      it(`signs in with credentials, ${strategy} sessions`, async () => {
        const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
        const { site, visitor, who } = await start(() =>
          strategy === 'database' ? { adapter: store.adapter } : {},
        )
        expect(await who()).toBeNull()
        const wrong = await visitor.post('/callback/credentials', { password: 'wrong' })
        expect(wrong.headers.get('location')).toBe(
          `${site}/auth/signin?error=CredentialsSignin&code=credentials`,
        )
        const right = await visitor.post('/callback/credentials', {
          password: 'right',
          callbackUrl: `${site}/account`,
        })
        expect(right.headers.get('location')).toBe(`${site}/account`)
        expectGuarded(site, visitor)
        expect(await who()).toMatchObject({ user: { name: 'Ann', email: 'ann@example.test' } })
        expect(store.sessions.size).toBe(strategy === 'database' ? 1 : 0)
        expect(await (await visitor.get(`${site}/account`)).text()).toBe('account')
        await visitor.post('/signout')
        expect(await who()).toBeNull()
        expect(store.sessions.size).toBe(0)
      })
    }

    it('sends strangers from a page to the sign-in page and back', async () => {
      const { site, visitor } = await start()
      const away = await visitor.get(`${site}/account`, { accept: 'text/html' })
      const signInUrl = new URL(away.headers.get('location') ?? '', site)
      const shown = await visitor.get(signInUrl.href)
      expect([shown.status, shown.headers.get('content-type')]).toEqual([
        200,
        'text/html; charset=utf-8',
      ])
      const callbackUrl = signInUrl.searchParams.get('callbackUrl') ?? ''
      const back = await visitor.post('/callback/credentials', { password: 'right', callbackUrl })
      expect(back.headers.get('location')).toBe(`${site}/account`)
    })

    it('signs in at an OpenID provider', async () => {
      const secret = 'a client secret that is long enough'
      const op: OIDCConfig<Profile> = {
        id: 'op',
        name: 'OP',
        type: 'oidc',
        issuer: 'replaced once it runs',
        clientId: 'app',
        clientSecret: secret,
      }
      const { base, site, visitor, who } = await start(() => ({ providers: [op] }))
      const provider = await startRealProvider({
        redirectUris: [`${base}/callback/op`],
        clients: [{ client_id: 'app', client_secret: secret }],
      })
      op.issuer = provider.issuer
      try {
        const away = await visitor.post('/signin/op', { callbackUrl: `${site}/account` })
        const landing = await provider.visit(new URL(away.headers.get('location') ?? ''), 'ada')
        expect(landing.url.href).toContain(`${base}/callback/op`)
        const back = await visitor.send(landing.url.href)
        expect(back.headers.get('location')).toBe(`${site}/account`)
        expectGuarded(site, visitor)
        expect(await who()).toMatchObject({ user: { email: 'ada@example.test' } })
      } finally {
        await provider.close()
      }
    })

    it('signs in by a link in a mail', async () => {
      const sent: string[] = []
      const mail: EmailConfig = {
        id: 'mail',
        name: 'Mail',
        type: 'email',
        sendVerificationRequest: ({ url }) => void sent.push(url),
      }
      const { base, site, visitor, who } = await start(() => ({
        providers: [mail],
        adapter: withTokens(),
      }))
      const asked = await visitor.post('/signin/mail', {
        email: 'ann@example.test',
        callbackUrl: `${site}/account`,
      })
      expect(asked.headers.get('location')).toContain(`${base}/verify-request`)
      const link = new URL(sent[0] ?? '')
      expect(link.href).toContain(`${base}/callback/mail?`)
      expect((await visitor.send(link.href)).status).toBe(200)
      const back = await visitor.confirmLink(link)
      expect(back.headers.get('location')).toBe(`${site}/account`)
      expect(await who()).toMatchObject({ user: { email: 'ann@example.test' } })
    })
  })
}

function withTokens(): Adapter {
  const tokens: VerificationToken[] = []
  return {
    ...memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }]).adapter,
    async createVerificationToken(token) {
      tokens.push(token)
      return token
    },
    async useVerificationToken({ identifier, token }) {
      const at = tokens.findIndex(each => each.identifier === identifier && each.token === token)
      return at === -1 ? null : (tokens.splice(at, 1)[0] ?? null)
    },
  }
}
