import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { findChromium } from './chromium.ts'

const program = findChromium()

/** A character that browsers take for a part of the name, while JavaScript's trim() removes it. */
const BLANK = '\u00a0'

// An application and a sibling host, which belongs to an attacker. Both can set cookies for their domain.
const DOMAIN = 'example.test'
const PROVIDER = 'https://id.provider.test'

describe.skipIf(program === null)('a sibling host that plants cookies in Chromium', () => {
  let folder: string
  let server: Server
  let browser: Browser
  let context: BrowserContext
  let page: Page
  let origin: string
  let siblingOrigin: string
  let answer: (request: Request) => Promise<Response>
  /** The `Set-Cookie` headers of the sibling host. */
  let planted: string[]
  /** The cookies that came with requests to the application. */
  let received: string[]

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'planted-cookies-'))
    server = createServer(createCertificate(folder), (incoming, outgoing) => {
      exchange(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error))
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // it listens on one
    origin = `https://app.${DOMAIN}:${port}`
    siblingOrigin = `https://evil.${DOMAIN}:${port}`
    browser = await chromium.launch({
      executablePath: program ?? '',
      args: [
        '--no-sandbox',
        '--ignore-certificate-errors',
        `--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      ],
    })
  })

  afterAll(async () => {
    await browser?.close()
    server?.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    rmSync(folder, { recursive: true })
  })

  beforeEach(async () => {
    planted = []
    received = []
    context = await browser.newContext({ ignoreHTTPSErrors: true })
    page = await context.newPage()
  })

  afterEach(() => context.close())

  async function exchange(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { host, cookie } = incoming.headers
    if (siblingOrigin === `https://${host}`) {
      outgoing.setHeader('set-cookie', planted)
      return outgoing.end()
    }
    received.push(cookie ?? '')
    const request = new Request(origin + incoming.url, { headers: cookie ? { cookie } : {} })
    const response = await answer(request)
    const headers = [...response.headers].filter(([name]) => name !== 'set-cookie')
    outgoing.writeHead(response.status, [
      ...headers.flat(),
      ...response.headers.getSetCookie().flatMap(line => ['set-cookie', line]),
    ])
    return outgoing.end(await response.text())
  }

  function startApplication() {
    const adapter = MemoryAdapter()
    const links: string[] = []
    const { handle, getSession } = createTestAuth(
      {
        adapter,
        session: { strategy: 'database' },
        providers: [
          {
            id: 'op',
            name: 'OP',
            type: 'oauth',
            clientId: 'client',
            clientSecret: 'secret',
            authorization: `${PROVIDER}/authorize`,
            token: `${PROVIDER}/token`,
            userinfo: `${PROVIDER}/userinfo`,
          },
          {
            id: 'mail',
            name: 'Mail',
            type: 'email',
            confirm: false,
            sendVerificationRequest: ({ url }) => void links.push(url),
          },
        ],
        ports: { fetch: fetchFromProvider },
      },
      { AUTH_URL: `${origin}/auth` },
    )
    answer = async request => {
      if (new URL(request.url).pathname.startsWith('/auth/')) return handle(request)
      return new Response((await getSession(request))?.user?.name ?? 'Nobody')
    }
    return { adapter, links, attacker: new Visitor(handle, `${origin}/auth`) }
  }

  /** Has the sibling host set everything that a browser of the attacker has, for longer paths than ours. */
  async function plantCookies(attacker: Visitor) {
    const attributes = `Domain=${DOMAIN}; Path=/auth; Secure`
    planted = [...attacker.cookies].flatMap(([name, value]) =>
      ['', BLANK].map(before => `${before}${name}=${value}; ${attributes}`),
    )
    await page.goto(siblingOrigin)
  }

  /** Chromium keeps what it takes for cookies without a prefix, and sends them to the application. */
  function expectPlanted(name: string) {
    expect(received.filter(cookie => cookie.includes(`${BLANK}${name}`))).not.toEqual([])
  }

  const visitor = async () => {
    await page.goto(`${origin}/`)
    return page.textContent('body')
  }

  it('links nobody’s account to the user of the attacker', async () => {
    const { adapter, attacker } = startApplication()
    await attacker.send(await startAtProvider(attacker, 'mallory'))
    const mallory = await adapter.getUserByAccount?.({
      provider: 'op',
      providerAccountId: 'mallory',
    })
    expect(mallory).toMatchObject({ name: 'mallory' })
    // The attacker begins to add an account. The provider knows Ann, and sends her back at once.
    const callback = await startAtProvider(attacker, 'ann')
    await page.goto(`${origin}/auth/signin`)
    await plantCookies(attacker)
    await page.goto(callback)
    expectPlanted('__Host-authjs.csrf-token')
    expectPlanted('__Host-authjs.state')
    expect(new URL(page.url()).search).toBe('?error=InvalidCheck')
    expect(
      await adapter.getUserByAccount?.({ provider: 'op', providerAccountId: 'ann' }),
    ).toBeNull()
    expect(await visitor()).toBe('Nobody')
  })

  it('signs nobody in as the attacker by the answer of a provider', async () => {
    const { attacker } = startApplication()
    const callback = await startAtProvider(attacker, 'mallory')
    await plantCookies(attacker)
    await page.goto(callback)
    expect(new URL(page.url()).search).toBe('?error=InvalidCheck')
    expect(await visitor()).toBe('Nobody')
    // The answer itself is good: for the browser that began.
    await attacker.send(callback)
    expect(await attacker.session()).toMatchObject({ user: { name: 'mallory' } })
  })

  it('signs nobody in by a link without a click', async () => {
    const { attacker, links } = startApplication()
    await attacker.post('/signin/mail', { email: 'mallory@example.test' })
    await plantCookies(attacker)
    await page.goto(links[0] ?? '')
    expectPlanted('__Host-authjs.csrf-token')
    expectPlanted('__Host-authjs.email-request')
    expect((await context.cookies()).map(({ name }) => name)).not.toContain(
      '__Secure-authjs.session-token',
    )
    // A page, whose button people would have to press.
    expect(await page.getByRole('button').count()).toBeGreaterThan(0)
  })
})

/** Starts at the provider. Returns the URL to which the provider sends a person who agrees there. */
async function startAtProvider(visitor: Visitor, who: string): Promise<string> {
  const started = await visitor.post('/signin/op')
  const parameters = new URL(started.headers.get('location') ?? '').searchParams
  const state = parameters.get('state') ?? ''
  return `${parameters.get('redirect_uri')}?${new URLSearchParams({ code: who, state })}`
}

/** A provider whose codes and tokens are the names of people. */
const fetchFromProvider: typeof fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  if (pathname === '/token') {
    const code = new URLSearchParams(String(init?.body)).get('code')
    return Response.json({ access_token: code, token_type: 'bearer' })
  }
  const who = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
  return Response.json({ id: who, name: who, email: `${who}@example.test` })
}

function createCertificate(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', `/CN=${DOMAIN}`, '-addext', `subjectAltName=DNS:*.${DOMAIN}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const files = ['-keyout', key, '-out', cert]
  execFileSync('openssl', ['req', '-x509', ...kind, ...files, '-days', '2', ...subject], {
    stdio: 'ignore',
  })
  return { key: readFileSync(key), cert: readFileSync(cert) }
}
