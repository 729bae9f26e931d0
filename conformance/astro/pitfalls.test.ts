import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signInAs } from '@siteauth/testing'
import { openSite, type Site } from '@siteauth/testing/integration'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inChromium } from '../in-chromium.ts'
import { startApplication } from '../start-application.mjs'

const SESSION = expect.stringMatching(/^authjs\.session-token=[^;]+/)
const PAGE = { accept: 'text/html' }
const SECRET = 'a secret for the pitfalls, 32 characters'
const TWO_DAYS = 2 * 86_400_000

describe('in Astro', () => {
  let site: Site & { close(): Promise<void> }
  beforeAll(async () => {
    const kind = { sessions: 'cookie', basePath: '/auth' } as const
    site = await openSite(kind, env => startApplication('astro', { ...env, AUTH_SECRET: SECRET }))
  })
  afterAll(() => site?.close())

  /** What somebody is answered whose session is due for renewal. */
  async function answerTo(path: string): Promise<Response> {
    const at = new Date(Date.now() - TWO_DAYS)
    const config = { secret: SECRET, session: { strategy: 'jwt' as const } }
    const { headers } = await signInAs(
      config,
      { id: 'ada@example.com', name: 'Ada' },
      { url: site.base, at, env: { NODE_ENV: 'test' } },
    )
    return site.visit(site.visitor(), path, { headers: { ...PAGE, ...headers } })
  }

  it.each([
    ['a component that renders while the page is sent', '/component', 200],
    ['a page that redirects', '/old', 302],
    ['a page that shows another', '/rewritten', 200],
    ['a guard in middleware', '/members', 200],
  ])('a renewed session reaches the browser from %s', async (_, path, status) => {
    const response = await answerTo(path)
    expect(response.status).toBe(status)
    expect(response.headers.getSetCookie()).toContainEqual(SESSION)
    expect(response.headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it.each(['/members', '/old'])('cookies of Astro itself stay, at %s', async path => {
    const response = await answerTo(path)
    expect(response.headers.getSetCookie()).toContainEqual(expect.stringMatching(/^own=yes/))
  })

  it('a response that the application has for everybody carries no cookie to the next', async () => {
    expect((await answerTo('/forall')).headers.getSetCookie()).toEqual([SESSION])
    const next = await site.visit(site.visitor(), '/forall', { headers: PAGE })
    expect([next.status, next.headers.getSetCookie()]).toEqual([302, []])
  })

  it('a sign-out outlasts an error of the application', async () => {
    const origin = { origin: site.origin, 'content-type': 'text/plain' }
    const ada = await site.visitorAs('Ada')
    const response = await site.visit(ada, '/broken', { method: 'POST', headers: origin })
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining('Something went wrong.'),
    ])
    expect(await site.nameOf(ada)).toBeNull()
  })

  it.each(['//members', '/members/', '/%6dembers', '/rewritten'])(
    'a guard in middleware is not passed by %s',
    async path => {
      const response = await site.visit(site.visitor(), path, { headers: PAGE })
      expect(await response.text()).not.toContain('Members')
      const location = new URL(response.headers.get('location') ?? '/', site.origin)
      expect(location.origin).toBe(site.origin)
    },
  )

  it.each(['/', '/api/me', '/component', '/private', '/auth/session'])(
    "Astro's cache, which is to keep all pages, shows nobody the session of another at %s",
    async path => {
      for (const name of ['Ada', 'Bob']) {
        const response = await site.visit(await site.visitorAs(name), path, { headers: PAGE })
        expect(await response.text()).toContain(name)
      }
      const stranger = await site.visit(site.visitor(), path, { headers: PAGE })
      expect(await stranger.text()).not.toMatch(/Ada|Bob/)
    },
  )

  it("Astro's own check refuses forms of other sites before the endpoints see them", async () => {
    const headers = { origin: 'https://evil.example' }
    const body = new URLSearchParams({ name: 'Ada' })
    const response = await site.visit(site.visitor(), '/auth/callback/credentials', {
      method: 'POST',
      headers,
      body,
    })
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining('Cross-site'),
    ])
  })
})

describe('a prerendered page', () => {
  it('that reads the session is warned of, and one with a guard fails the build', () => {
    const code = 'await Astro.locals.auth()\nawait auth.requireSession(Astro)'
    const { status, printed } = buildWith(code)
    expect(printed).toContain('/once, which is prerendered: it is null for everybody')
    expect(printed).toContain('/once is prerendered, so everybody would see it')
    expect(status).not.toBe(0)
  }, 240_000)

  /** Builds a copy of the application in which one more page is prerendered. */
  function buildWith(code: string) {
    const folder = mkdtempSync(join(import.meta.dirname, '.copy-'))
    try {
      for (const each of ['src', 'astro.config.mjs', 'tsconfig.json', 'package.json']) {
        cpSync(join(import.meta.dirname, each), join(folder, each), { recursive: true })
      }
      symlinkSync('../node_modules', join(folder, 'node_modules'))
      const script = `import { auth } from '../auth'\nexport const prerender = true\n${code}`
      writeFileSync(
        join(folder, 'src/pages/once.astro'),
        `---\n${script}\n---\n<p>{auth ? 1 : 0}</p>`,
      )
      const { status, stdout, stderr } = spawnSync('npx', ['astro', 'build'], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', VITEST: '', NODE_ENV: 'production' },
      })
      return { status, printed: stdout + stderr }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
})

inChromium('in a browser', 'astro', ({ site, open }) => {
  it('a link that the client router follows leads strangers to the sign-in page', async () => {
    const page = await open('/')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.waitForURL(`${site().base}/signin?callbackUrl=%2Fprivate`)
  })

  it('a link that the client router follows shows a guarded page to whoever is signed in', async () => {
    const page = await open('/', 'Ada')
    await page.getByRole('link', { name: 'Private' }).click()
    await page.getByText('Private: Ada').waitFor()
  })

  it('a form that the client router sends signs out, and the page shows it', async () => {
    const page = await open('/', 'Ada')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('Hello, stranger').waitFor()
  })

  it('an action signs in, after it has said what is wrong, and the page shows it', async () => {
    const page = await open('/action')
    const enter = async (password: string) => {
      await page.locator('[name=name]').fill('Ada')
      await page.locator('[name=password]').fill(password)
      await page.getByRole('button', { name: 'Enter' }).click()
    }
    await enter('wrong')
    await page.getByText('Who are you?').waitFor()
    await enter('right')
    await page.getByText('Action: Ada').waitFor()
  })

  it('an action that a script calls knows who is signed in', async () => {
    const ada = await open('/action', 'Ada')
    await ada.getByRole('button', { name: 'Ask' }).click()
    await ada.getByText('the secret of Ada').waitFor()
    const stranger = await open('/action')
    await stranger.getByRole('button', { name: 'Ask' }).click()
    await stranger.getByText('UNAUTHORIZED').waitFor()
  })

  it('server islands on a prerendered page know who is signed in', async () => {
    const ada = await open('/island', 'Ada')
    await ada.getByText('Island: Ada').waitFor()
    await ada.getByText('the secret of Ada').waitFor()
  })

  it('a guard in a server island leaves strangers with its fallback', async () => {
    const stranger = await open('/island')
    await stranger.getByText('Island: stranger').waitFor()
    await stranger.getByText('no secret').waitFor()
    expect(await stranger.getByText('the secret').count()).toBe(0)
  })
})
