import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocument } from '../../../tools/documents.mjs'
import { createProject, type Project, type RunningCommand } from '../../../tools/start-page.ts'

const ROOT = join(import.meta.dirname, '../../..')
// What is published is tested, so there must be a build: npm test makes one.
const isBuilt = existsSync(join(import.meta.dirname, '../dist/index.js'))

/** The block of a guide that has these words in it. */
function blockOf(guide: string, words: string): string {
  const { fences } = readDocument(join(ROOT, 'docs/guide', guide))
  const found = fences.find(({ code }: { code: string }) => code.includes(words))
  if (!found) throw new Error(`${guide} has no block with ${words} any more`)
  return found.code
}

const ENV = {
  AUTH_SECRET: 'a secret of at least thirty-two characters',
  AUTH_GITHUB_ID: 'an id',
  AUTH_GITHUB_SECRET: 'a secret',
  AUTH_TRUST_HOST: 'true',
}

/** What a reader has to add: what listens, and the functions that are their own. */
const ADDED = {
  'web.ts': `\nServe('web', respond)`,
  'main.ts': `\nServe('main', auth.handle)`,
  'worker.ts': `\nimport worker from './worker'\nServe('worker', request => worker.fetch(request, process.env as Record<string, string>))`,
  'passport.ts': `\nconst server = app.listen(0, () => console.log('passport', (server.address() as { port: number }).port))`,
  'password.ts': `\nimport { createAuth } from '@siteauth/core'\nServe('password', createAuth(config).handle)`,
}

/** What listens at 3000 listens wherever there is room, and says where. */
function listening(name: string, text: string): string {
  const say = `console.log('${name}', (server.address() as { port: number }).port)`
  return `${text.replace('app.listen(3000)', `const server = app.listen(0, () => ${say})`)}\nexport {}`
}

/** A server of Node for what takes the web's own Request. */
const SERVE = `
  import { scryptSync } from 'node:crypto'
  import { createServer } from 'node:http'
  const salt = 'salt'
  globalThis.findMember = async email => email === 'ann@example.test'
    ? { id: '1', name: 'Ann', salt, hash: scryptSync('correct horse', salt, 64).toString('hex') }
    : null
  globalThis.verify = async (name, password) => (password === 'correct horse' ? { id: '1', name } : null)
  globalThis.Serve = (name, respond) => {
    const server = createServer(async (req, res) => {
      const chunks = []
      for await (const chunk of req) chunks.push(chunk)
      const response = await respond(new Request('http://' + req.headers.host + req.url, {
        method: req.method,
        headers: req.headers,
        ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
      }))
      const { 'set-cookie': _, ...headers } = Object.fromEntries(response.headers)
      res.writeHead(response.status, { ...headers, 'set-cookie': response.headers.getSetCookie() })
      res.end(Buffer.from(await response.arrayBuffer()))
    }).listen(0, () => console.log(name, server.address().port))
  }`

describe.skipIf(!isBuilt)('the whole applications in the guides', () => {
  let project: Project
  let servers: RunningCommand
  const origins = new Map<string, string>()

  beforeAll(async () => {
    project = createProject()
    await project.run('npm init -y')
    project.install(['@siteauth/express', '@siteauth/core', 'express', 'tsx', 'typescript'])
    project.install(['@types/express', '@types/node'])
    project.write({
      'tsconfig.json': blockOf('../start/express.md', 'compilerOptions'),
      'serve.mjs': SERVE,
      'serve.d.ts':
        'declare function Serve(name: string, respond: (request: Request) => Promise<Response>): void',
      'web.ts': blockOf('web.md', 'auth.applyTo(request, response)') + ADDED['web.ts'],
      'main.ts': blockOf('edge.md', 'export default { fetch: auth.handle }') + ADDED['main.ts'],
      'worker.ts': blockOf('edge.md', 'async fetch(request: Request, env'),
      'serve-worker.ts': ADDED['worker.ts'],
      'passport.ts': blockOf('from-passport.md', 'declare function verify') + ADDED['passport.ts'],
      'password.ts': blockOf('passwords.md', 'declare function findMember') + ADDED['password.ts'],
      'guide.ts': listening('guide', blockOf('express.md', 'app.listen(3000)')),
      'index-page.ts': listening('front', blockOf('../index.md', 'app.listen(3000)')),
      'all.ts': ['web', 'main', 'serve-worker', 'passport', 'password', 'guide', 'index-page']
        .map(name => `import './${name}'`)
        .join('\n'),
    })
    servers = project.start(`npx tsx --import ./serve.mjs all.ts`, ENV)
    for (const name of ['web', 'main', 'worker', 'passport', 'password', 'guide', 'front']) {
      const [, port] = await servers.says(new RegExp(`^${name} (\\d+)$`, 'm'))
      origins.set(name, `http://localhost:${port}`)
    }
  }, 120_000)

  afterAll(async () => {
    await servers?.stop()
    project?.remove()
  })

  it('have types that fit', async () => {
    await project.run('npx tsc')
  }, 60_000)

  it.each(['web', 'main', 'worker', 'passport', 'guide', 'front'])(
    'lead to GitHub: %s',
    async name => {
      const browser = new Browser(origins.get(name) ?? '')
      const response = await browser.post('/auth/signin/github')
      expect(response.headers.get('location')).toMatch(/^https:\/\/github\.com\/login\/oauth/)
    },
  )

  it.each([
    ['web', '/cart'],
    ['passport', '/account'],
    ['front', '/account'],
  ])('send strangers to the sign-in page: %s', async (name, path) => {
    const response = await new Browser(origins.get(name) ?? '').get(path)
    expect(response.headers.get('location')).toContain('/auth/signin?callbackUrl=')
  })

  it('greet strangers: worker', async () => {
    const response = await new Browser(origins.get('worker') ?? '').get('/')
    expect(await response.text()).toBe('Hello, stranger')
  })

  it.each([
    ['passport', { username: 'Ann', password: 'correct horse' }],
    ['password', { email: 'ann@example.test', password: 'correct horse' }],
  ])('sign in with a password: %s', async (name, fields) => {
    const browser = new Browser(origins.get(name) ?? '')
    await browser.post('/auth/callback/credentials', fields)
    const session = await (await browser.get('/auth/session')).json()
    expect(session).toMatchObject({ user: { name: 'Ann' } })
  })

  it('refuse a wrong password: password', async () => {
    const browser = new Browser(origins.get('password') ?? '')
    const fields = { email: 'ann@example.test', password: 'wrong' }
    const response = await browser.post('/auth/callback/credentials', fields)
    expect(response.headers.get('location')).toContain('error=CredentialsSignin')
  })
})

/** Keeps cookies and sends forms. */
class Browser {
  readonly #cookies = new Map<string, string>()
  readonly #origin: string

  constructor(origin: string) {
    this.#origin = origin
  }

  async get(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(this.#origin + path, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', cookie },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }

  async post(path: string, fields: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { csrfToken } = (await (await this.get('/auth/csrf')).json()) as { csrfToken: string }
    return this.get(path, {
      method: 'POST',
      body: new URLSearchParams({ csrfToken, ...fields }),
    })
  }
}
