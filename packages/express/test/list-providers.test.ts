import type { EmailConfig } from '@siteauth/core/providers'
import Password from '@siteauth/core/providers/password'
import { SiteAuth } from '@siteauth/express'
import { expect, it } from 'vitest'
import { MemoryAdapter } from '../../adapters/src/memory.ts'
import { configure, serve, versions, visit } from './server.ts'

it.each(versions)(
  'a page of the application is told the ways to sign in, and the one used last: $name',
  async version => {
    const codes: string[] = []
    const mail: EmailConfig = {
      id: 'mail',
      name: 'Mail',
      type: 'email',
      code: true,
      sendVerificationRequest: ({ code = '' }) => void codes.push(code),
    }
    const providers = [Password({ mail: () => {} }), mail]
    const config = configure({ adapter: MemoryAdapter(), providers })
    const app = version.express()
    const auth = SiteAuth(config)
    app.use('/auth', auth.handler)
    app.get('/login', async (req, res) => void res.json(await auth.listProviders(req)))
    const origin = await serve(app)
    const visitor = visit(`${origin}/auth`)
    const told = async () => (await visitor.get(`${origin}/login`)).json()

    const password = { id: 'password', type: 'password' }
    const byMail = { id: 'mail', type: 'email' }
    await visitor.post('/signin/mail', { email: 'ann@example.com' })
    expect(await told()).toMatchObject([password, byMail])
    expect(JSON.stringify(await told())).not.toContain('lastUsed')
    await visitor.post('/signin/mail', { code: codes[0] ?? '' })
    const signinUrl = `${origin}/auth/signin/mail`
    expect(await told()).toMatchObject([password, { ...byMail, signinUrl, lastUsed: true }])
  },
)
