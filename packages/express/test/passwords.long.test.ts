import Password from '@siteauth/core/providers/password'
import { getSession, PasswordRefused, SiteAuth } from '@siteauth/express'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { configure, serve, versions, visit } from './server.ts'

const FIRST = 'correct horse battery staple'
const SECOND = 'purple monkeys rarely dishwash'

it.each(versions)(
  'pages of the application ask for a link, choose, change and remove a password: $name',
  async version => {
    const links: URL[] = []
    const config = configure({
      adapter: MemoryAdapter(),
      providers: [
        Password({
          mail: ({ url }) => void (url && links.push(new URL(url))),
          hashing: { algorithm: 'scrypt', scryptCost: { ln: 1, r: 1 } },
          pages: { choose: '/choose' },
        }),
      ],
    })
    const app = version.express()
    app.use(version.express.urlencoded({ extended: false }))
    const auth = SiteAuth(config)
    app.use('/auth', auth.handler)
    const calls = {
      ask: auth.passwords.sendLink,
      choose: auth.passwords.choose,
      change: auth.passwords.change,
      remove: auth.passwords.remove,
    }
    app.post('/:call', async (req, res) => {
      const call = calls[req.params.call as keyof typeof calls]
      try {
        if (call) await call(req, { ...req.body, redirectTo: '/done' })
        else await auth.signIn(req, 'password', { ...req.body, redirectTo: '/done' })
      } catch (error) {
        if (!(error instanceof PasswordRefused)) throw error
        res.status(422).send(error.code)
      }
    })
    app.get('/who', async (req, res) => void res.json(await getSession(req, config)))
    const origin = await serve(app)
    const visitor = visit(origin)
    const send = async (path: string, fields: Record<string, string>) => {
      const body = new URLSearchParams(fields)
      const response = await visitor.send(path, { method: 'POST', body })
      return response.headers.get('location') ?? response.text()
    }

    expect(await send('/ask', { purpose: 'sign-up', email: 'ann@example.com' })).toContain(
      '/auth/verify-request',
    )
    const link = links[0] as URL
    const shown = await visitor.get(link.pathname + link.search)
    expect(shown.headers.get('location')).toContain(`${origin}/choose?`)
    const proof = Object.fromEntries(link.searchParams)
    expect(await send('/choose', { ...proof, password: 'short' })).toBe('too_short')
    expect(await send('/choose', { ...proof, password: FIRST })).toBe(`${origin}/done`)
    expect(await send('/change', { currentPassword: SECOND, newPassword: FIRST })).toBe(
      'wrong_password',
    )
    expect(await send('/change', { currentPassword: FIRST, newPassword: SECOND })).toBe(
      `${origin}/done`,
    )
    expect(await send('/remove', { currentPassword: SECOND })).toBe('only_sign_in_method')
    const other = visit(origin)
    await other.send('/login', {
      method: 'POST',
      body: new URLSearchParams({ email: 'ann@example.com', password: SECOND }),
    })
    expect(await (await other.get('/who')).json()).toMatchObject({
      user: { email: 'ann@example.com' },
    })
  },
)
