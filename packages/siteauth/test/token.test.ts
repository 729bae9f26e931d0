import { encode as encodeByAuthjs } from '@auth/core/jwt'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { createProject, SECRET } from './command-line.ts'

const NAME = 'authjs.session-token'
const CLAIMS = { sub: 'user-1', name: 'Ann', email: 'ann@example.com', role: 'admin' }
const seal = (token: Record<string, unknown> = CLAIMS, salt = NAME, secret = SECRET) =>
  encode({ token, salt, secret })
const ENV = { '.env': `AUTH_SECRET=${SECRET}\n` }

describe('siteauth token', () => {
  it('says in words who a cookie is for, and until when', async () => {
    const { code, output } = await createProject(ENV).run('token', await seal())
    expect(code).toBe(0)
    expect(output).toMatch(/^A session of Ann, from the cookie authjs\.session-token/)
    expect(output).toMatch(/opened with AUTH_SECRET\./)
    expect(output).toMatch(/user +user-1/)
    expect(output).toMatch(/expires +20\d\d-.*\((?:in|\d+) .*\)/)
    expect(output).toMatch(/role +admin/)
  })

  it('opens a cookie that Auth.js made', async () => {
    const token = await encodeByAuthjs({ token: CLAIMS, salt: NAME, secret: SECRET })
    const { output } = await createProject(ENV).run('token', token)
    expect(output).toContain('A session of Ann')
  })

  it('takes a whole Cookie header from the standard input, in parts, of https', async () => {
    const token = await seal(CLAIMS, `__Secure-${NAME}`)
    const header = `a=b; __Secure-${NAME}.0=${token.slice(0, 50)}; __Secure-${NAME}.1=${token.slice(50)}`
    const { output } = await createProject(ENV).runIn({ readInput: async () => header }, 'token')
    expect(output).toContain('A session of Ann')
  })

  it('finds the name and audience that the configuration gives the cookie', async () => {
    const project = createProject({
      ...ENV,
      'auth.ts': `import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({ providers: [], session: { audience: 'acme' }, cookies: { sessionToken: { name: 'mine' } } })`,
    })
    const { output } = await project.run('token', await seal(CLAIMS, 'acme mine'))
    expect(output).toContain('from the cookie mine')
  })

  it('opens what an older secret sealed, and names it', async () => {
    const project = createProject({ '.env': `AUTH_SECRET=${SECRET}\nAUTH_SECRET_1=${SECRET}new\n` })
    const { output } = await project.run('token', await seal())
    expect(output).toContain('opened with AUTH_SECRET.')
  })

  it('shows no tokens of providers, nor what moves the cursor', async () => {
    const token = await seal({ sub: '1', name: 'A\u001b[2J', access_token: 'gho_1234' })
    const { output } = await createProject(ENV).run('token', token)
    expect(output).toMatch(/access_token +\[hidden, 8 characters\]/)
    expect(output).not.toContain('\u001b')
  })

  it.each([
    ['in lists', { tokens: ['open-sesame'] }],
    ['further down', { google: { refreshToken: { current: 'open-sesame' } } }],
    ['by another name', { google: 'eyJhbGciOiJub25lIn0.open-sesame' }],
    ['that are keys', { dpop_key: { d: 'open-sesame' } }],
  ])('shows no tokens %s', async (_, claims) => {
    const token = await seal({ sub: '1', ...claims })
    for (const options of [[], ['--json']]) {
      const { output } = await createProject(ENV).run('token', ...options, token)
      expect(output).toContain('[hidden, ')
      expect(output).not.toContain('open-sesame')
    }
  })

  it('shows no name of a claim that moves the cursor', async () => {
    const { output } = await createProject(ENV).run('token', await seal({ 'a\u001b[2J': '1' }))
    expect(output).not.toContain('\u001b')
  })

  it.each([
    ['a header with its name', (token: string) => `Cookie: a=b; ${NAME}=${token}\r\n`],
    ['what a server set', (token: string) => `set-cookie: ${NAME}=${token}; Path=/; HttpOnly`],
    ['quotes', (token: string) => `"${token}"\n`],
    ['cookies of others', (token: string) => `next-auth.session-token=x; ${NAME}=${token}; y`],
  ])('takes %s', async (_, write) => {
    const { output } = await createProject(ENV).run('token', write(await seal()))
    expect(output).toContain('A session of Ann')
  })

  it.each([
    [
      'the configuration',
      {
        '.env': `MINE=${SECRET}\n`,
        'auth.ts': `import SiteAuth from '@siteauth/next'
export const { auth } = SiteAuth({ providers: [], secret: process.env.MINE })`,
      },
    ],
    ['what is deployed', { '.env.production': `AUTH_SECRET=${SECRET}\n` }],
  ])('opens it with the secret of %s', async (_, files) => {
    const { output } = await createProject(files).run('token', await seal())
    expect(output).toContain('A session of Ann')
    expect(output).not.toContain(SECRET)
  })

  it('prints claims as JSON', async () => {
    const { output } = await createProject(ENV).run('token', '--json', await seal())
    expect(JSON.parse(output)).toMatchObject(CLAIMS)
  })

  it.each([
    ['another secret', () => seal(CLAIMS, NAME, `${SECRET}2`), 'None of the secrets here opens it'],
    [
      'expired',
      () => encode({ token: CLAIMS, salt: NAME, secret: SECRET, maxAge: -60 }),
      'expired',
    ],
    ['changed', async () => (await seal()).replace(/.{3}$/, 'AAA'), 'changed after it was sealed'],
    ['a row', async () => 'a2b7c1f0-1111-4222-8333-123456789abc', 'only the key of a row'],
    ['no cookie', async () => 'a=b; c=d', 'There is no cookie'],
  ])('says why it does not open one: %s', async (_, make, reason) => {
    const { code, told } = await createProject(ENV).run('token', await make())
    expect(code).toBe(1)
    expect(told).toContain(reason)
  })
})
