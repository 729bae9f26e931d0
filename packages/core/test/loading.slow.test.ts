import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const folder = fileURLToPath(new URL('..', import.meta.url))
const isBuilt = existsSync(`${folder}dist/index.js`)

/** Tells of every file that is loaded. */
const spy = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    if (url.startsWith('file:')) writeSync(2, url + '\\n')
    return next(url, context)
  }`

const application = (use: string) => `
  import { register } from 'node:module'
  register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(spy)}))
  const { createAuth } = await import('@siteauth/core')
  const { encode } = await import('@siteauth/core/jwt')
  const { default: GitHub } = await import('@siteauth/core/providers/github')
  const secret = 'a test secret that is long enough!'
  const salt = 'authjs.session-token'
  const cookie = salt + '=' + (await encode({ token: { name: 'Ann' }, secret, salt }))
  const auth = createAuth({
    secret,
    trustHost: true,
    providers: [GitHub({ clientId: 'a', clientSecret: 'b' })],
  }, { env: { NODE_ENV: 'test' } })
  ${use}`

/** The texts of all files of this package that an application loads. */
async function textsLoadedBy(use: string, flags: readonly string[] = []): Promise<string[]> {
  const args = [...flags, '--input-type=module', '--eval', application(use)]
  const env = { ...process.env, NODE_OPTIONS: '' }
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env })
  const urls = stderr.split('\n').filter(line => line.startsWith('file:'))
  return urls.map(url => readFileSync(fileURLToPath(url), 'utf8').toLowerCase())
}

const words = {
  OAuth: 'code_challenge_method',
  pages: 'name="viewport"',
  email: 'nodemailer',
  WebAuthn: 'verifyregistrationresponse',
}

// What is published is tested, so there must be a build: npm test makes one.
describe.skipIf(!isBuilt)('starting a sign-in at a provider without OpenID', () => {
  it('loads no code of pages, emails, passkeys and OpenID', async () => {
    const texts = await textsLoadedBy(`
      const page = new Request('http://localhost/', { headers: { origin: 'http://localhost' } })
      const url = await auth.signIn(page, 'github')
      if (!url.startsWith('https://github.com/')) throw new Error(url)`)
    const { OAuth, ...others } = words
    expect(texts.some(text => text.includes(OAuth))).toBe(true)
    for (const [what, word] of Object.entries({ ...others, OpenID: "from 'oauth4webapi'" })) {
      expect(
        texts.filter(text => text.includes(word)),
        what,
      ).toEqual([])
    }
  })
})

describe.skipIf(!isBuilt)('a session check', () => {
  it('loads no code of sign-ins and pages', async () => {
    const texts = await textsLoadedBy(`
      const session = await auth.getSession({ headers: { cookie } })
      if (session.user.name !== 'Ann') throw new Error('nobody')`)
    expect(texts.length).toBeGreaterThan(3)
    for (const [what, word] of Object.entries(words)) {
      expect(
        texts.filter(text => text.includes(word)),
        what,
      ).toEqual([])
    }
  })

  it('is told from a sign-in page by this test', async () => {
    const texts = await textsLoadedBy(
      `await auth.handle(new Request('http://localhost/auth/signin'))`,
    )
    expect(texts.some(text => text.includes(words.pages))).toBe(true)
  })
})

describe.skipIf(!isBuilt)('what frameworks are bound with', () => {
  it('loads nothing of Node where there is none', async () => {
    const use = `await import('@siteauth/core/integration')`
    const texts = await textsLoadedBy(use, ['--conditions=workerd'])
    expect(texts.length).toBeGreaterThan(3)
    expect(texts.filter(text => /(?:from|import) ?\(?['"]node:/.test(text))).toEqual([])
  })
})
