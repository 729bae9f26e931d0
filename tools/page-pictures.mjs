// The pictures of the built-in pages are taken by a program, so that they can be taken again.
// They go to docs/pictures. Build first; needs Chromium.
//
// node tools/page-pictures.mjs           all of them
// node tools/page-pictures.mjs signin    those whose name contains "signin"
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { ROOT } from './workspace.mjs'

const core = join(ROOT, 'packages/core')
const { chromium } = createRequire(join(core, 'package.json'))('playwright-core')
const load = path => import(pathToFileURL(join(core, 'dist', path)).href)
const { createAuth } = await load('index.js')

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1024, height: 768 }
const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><rect width="48" height="48" rx="12" fill="#4f46e5"/><path d="M14 32 24 14l10 18z" fill="#fff"/></svg>',
)}`

/** The cookie that names the provider used last, over HTTP. */
const LAST = 'siteauth.last-provider'
const links = []
const plain = await createApplication({})
const branded = await createApplication({ brandColor: '#4f46e5', logo })
const oneField = await createApplication({ brandColor: '#4f46e5', logo }, { isOneField: true })
const broken = await createApplication({}, { pages: { signIn: 'no path' } })

/** Name, path, and whatever differs from an English desktop in the light. */
const pictures = [
  ['signin-light', '/signin'],
  ['signin-dark', '/signin', { colorScheme: 'dark' }],
  ['signin-phone-light', '/signin', { viewport: PHONE }],
  ['signin-phone-dark', '/signin', { viewport: PHONE, colorScheme: 'dark' }],
  ['signin-branded', '/signin', { application: branded }],
  ['signin-error', '/signin?error=CredentialsSignin', { viewport: PHONE }],
  ['signin-arabic', '/signin', { locale: 'ar', viewport: PHONE }],
  ['one-field-address', '/signin', { application: oneField, cookies: { [LAST]: 'github' } }],
  ['one-field-ways', '/signin', { application: oneField, address: 'ann@example.com' }],
  [
    'one-field-ways-phone-dark',
    '/signin',
    {
      application: oneField,
      address: 'ann@example.com',
      viewport: PHONE,
      colorScheme: 'dark',
    },
  ],
  ['signout-light', '/signout'],
  ['signout-phone-dark', '/signout', { viewport: PHONE, colorScheme: 'dark' }],
  ['verify-request-light', '/verify-request'],
  ['verify-request-phone-dark', '/verify-request', { viewport: PHONE, colorScheme: 'dark' }],
  ['confirm-email-light', '/callback/resend?token=a&email=ann%40example.com'],
  [
    'confirm-email-phone-dark',
    '/callback/resend?token=a&email=ann%40example.com',
    { viewport: PHONE, colorScheme: 'dark' },
  ],
  ['error-light', '/error?error=AccessDenied'],
  ['error-phone-dark', '/error?error=Verification', { viewport: PHONE, colorScheme: 'dark' }],
  ['error-development', '/signin', { application: broken }],
  ['email-light', '/email', { application: branded }],
  ['email-phone-dark', '/email', { application: branded, viewport: PHONE, colorScheme: 'dark' }],
]

let current = plain
const server = createServer(async (incoming, outgoing) => {
  const path = incoming.url ?? '/'
  const { method, headers: sent } = incoming
  const request = { method, headers: sent, body: await text(incoming) }
  const answer = path.startsWith('/auth/email') ? emailOf(current) : current.handle(path, request)
  const { status, headers, body } = await answer
  outgoing.writeHead(status, headers).end(body)
}).listen(0, '127.0.0.1')
await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))

const folder = join(ROOT, 'docs/pictures')
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    // There are no passkeys elsewhere.
    '--unsafely-treat-insecure-origin-as-secure=http://app.example.com',
    `--host-resolver-rules=MAP * 127.0.0.1:${server.address().port}`,
  ],
})
for (const [name, path, options = {}] of pictures) {
  if (!name.includes(process.argv[2] ?? '')) continue
  const { application = plain, viewport = DESKTOP, cookies = {}, address, ...rest } = options
  current = application
  const page = await (await browser.newContext({ viewport, ...rest })).newPage()
  for (const [name, value] of Object.entries(cookies)) {
    await page.context().addCookies([{ name, value, url: 'http://app.example.com' }])
  }
  await page.goto(`http://app.example.com/auth${path}`)
  if (address) {
    await page.locator('[data-method=address] [name=email]').fill(address)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/signin?step=2')
  }
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 75,
    captureBeyondViewport: true,
    clip: await page.evaluate(() => {
      const { scrollWidth: width, scrollHeight: height } = document.documentElement
      return { x: 0, y: 0, width, height, scale: 1 }
    }),
  })
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
  await page.context().close()
}
await browser.close()
server.close()

async function createApplication(theme, { isOneField = false, ...rest } = {}) {
  const names = isOneField
    ? ['google', 'github']
    : ['google', 'github', 'apple', 'microsoft-entra-id', 'discord']
  const client = { clientId: 'id', clientSecret: 'secret' }
  const external = await Promise.all(
    names.map(async name => (await load(`providers/${name}.js`)).default(client)),
  )
  const [Resend, Password, Passkey] = await Promise.all(
    ['resend', 'password', 'passkey'].map(
      async each => (await load(`providers/${each}.js`)).default,
    ),
  )
  const auth = createAuth(
    {
      secret: 'a secret of at least thirty-two characters',
      trustHost: true,
      theme,
      session: { strategy: 'jwt' },
      // Nobody signs in: it is enough that the methods are there.
      adapter: new Proxy({}, { get: (_, name) => (name === 'then' ? undefined : () => null) }),
      providers: [
        ...external,
        ...(isOneField ? [Password({ mail: () => {} })] : []),
        Resend({
          code: isOneField,
          sendVerificationRequest: ({ message }) => void links.push(message.html),
        }),
        ...(isOneField ? [Passkey] : []),
      ],
      experimental: { enableWebAuthn: isOneField },
      logger: { error() {}, warn() {} },
      ...rest,
    },
    { env: { NODE_ENV: 'development' } },
  )
  return {
    async handle(path, { method, headers, body }) {
      const request = new Request(`http://app.example.com${path}`, {
        method,
        headers,
        ...(method === 'POST' && { body }),
      })
      const response = await auth.handle(request)
      return {
        status: response.status,
        headers: {
          ...Object.fromEntries(response.headers),
          'set-cookie': response.headers.getSetCookie(),
        },
        body: await response.text(),
      }
    },
    /** The message that a visitor gets who asks for a link. */
    async message() {
      const url = 'http://app.example.com/auth'
      const answer = await auth.handle(new Request(`${url}/csrf`))
      const { csrfToken } = await answer.json()
      const [cookie = ''] = answer.headers.getSetCookie().map(line => line.split(';')[0])
      const body = new URLSearchParams({ csrfToken, email: 'ann@example.com' })
      await auth.handle(
        new Request(`${url}/signin/resend`, { method: 'POST', headers: { cookie }, body }),
      )
      return links.at(-1)
    },
  }
}

async function emailOf(application) {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  return { status: 200, headers, body: await application.message() }
}
