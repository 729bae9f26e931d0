import { createAuth } from '@siteauth/core'
import { expect, it } from 'vitest'
import { createTestAuth, recordingLogger, SECRET } from '../visitor.ts'

/** How an application that nobody has configured answers in production. */
async function ask(headers: Readonly<Record<string, string>>) {
  const auth = createTestAuth({}, { NODE_ENV: 'production' })
  // A URL has to have some host: what counts is the header.
  const request = () => new Request('http://localhost:3000/auth/providers', { headers })
  const { status } = await auth.handle(request())
  await auth.handle(request())
  return { status, warnings: auth.warnings, errors: auth.errors.map(({ message }) => message) }
}

it.each([
  'localhost',
  'localhost:3000',
  'LOCALHOST:3000',
  '127.0.0.1:8080',
  '127.0.0.53',
  '127.1',
  '0x7f000001',
  '2130706433',
  '[::1]:3000',
  '[0:0:0:0:0:0:0:1]',
])('The host %s is served in production, with one warning', async host => {
  const { status, warnings, errors } = await ask({ host })
  expect(status).toBe(200)
  expect(warnings).toEqual(['loopback-host-trusted'])
  expect(errors).toEqual([])
})

it.each([
  'localhost.',
  'localhost.:3000',
  'localhost.evil.example',
  'evil.example',
  'localhost.localdomain',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io',
  '127-0-0-1.evil.example',
  '0.0.0.0:3000',
  '[::]:3000',
  '[::ffff:10.0.0.1]',
  '128.0.0.1',
  '10.0.0.1:3000',
  '169.254.169.254',
])('The host %s is not served in production, and one error names AUTH_URL', async host => {
  const { status, warnings, errors } = await ask({ host })
  expect(status).toBe(500)
  expect(warnings).toEqual([])
  expect(errors).toEqual([expect.stringContaining('Set AUTH_URL')])
})

it.each([
  'localhost:80@evil.example',
  'evil.example@localhost',
  'localhost/a',
  'localhost, evil.example',
])('The host %s is malformed', async host => {
  expect((await ask({ host })).status).toBe(400)
})

it.each([
  ['x-forwarded-for', '203.0.113.7'],
  ['x-forwarded-for', '127.0.0.1'],
  ['x-forwarded-host', 'example.com'],
  ['x-forwarded-host', 'localhost:3000'],
  ['x-forwarded-proto', 'https'],
  ['x-forwarded-port', '443'],
  ['x-forwarded-prefix', '/app'],
  ['forwarded', 'for=203.0.113.7'],
  ['via', '1.1 proxy'],
  ['x-real-ip', '203.0.113.7'],
  ['cf-connecting-ip', '203.0.113.7'],
  ['x-amzn-trace-id', 'Root=1'],
])(
  'A request for localhost with %s: %s came through a proxy, and is rejected',
  async (name, value) => {
    const { status, errors } = await ask({ host: 'localhost:3000', [name]: value })
    expect(status).toBe(500)
    expect(errors).toEqual([expect.stringContaining('Set AUTH_URL')])
  },
)

it.each([
  [{ 'x-forwarded-for': '::1' }, 200],
  [{ 'x-forwarded-for': '::ffff:127.0.0.1', 'x-forwarded-host': 'localhost:3000' }, 200],
  [{ 'x-forwarded-proto': 'http', 'x-forwarded-port': '3000' }, 200],
  [{ 'x-forwarded-for': '203.0.113.7' }, 500],
  [{ 'x-forwarded-for': '127.0.0.1, 203.0.113.7' }, 500],
  [{ 'x-forwarded-host': 'example.com' }, 500],
  [{ 'x-forwarded-proto': 'https' }, 500],
  [{ 'x-real-ip': '127.0.0.1' }, 500],
])(
  'A framework that adds headers of proxies itself, with %j, answers %s',
  async (added, expected) => {
    const { logger } = recordingLogger()
    const auth = createAuth(
      { secret: SECRET, providers: [], logger },
      { env: { NODE_ENV: 'production' }, addsForwardedHeaders: true },
    )
    const headers = { host: 'localhost:3000', ...added } as Record<string, string> // each has some of them
    const { status } = await auth.handle(
      new Request('http://localhost:3000/auth/providers', { headers }),
    )
    expect(status).toBe(expected)
  },
)
