import { beforeEach, expect, it, vi } from 'vitest'

// What Next writes into the code of an application with such a `basePath`.
vi.stubEnv('__NEXT_ROUTER_BASEPATH', '/shop')
const client = await import('@siteauth/next/react')
const passkeys = await import('@siteauth/next/webauthn')

let asked: string[]

beforeEach(() => {
  asked = []
  vi.stubEnv('AUTH_URL', 'https://example.com')
  vi.spyOn(globalThis, 'fetch').mockImplementation(async input => {
    asked.push(String(input))
    return Response.json({})
  })
})

it.each<readonly [string, string, () => Promise<unknown>]>([
  ['getSession', 'session', () => client.getSession()],
  ['getCsrfToken', 'csrf', () => client.getCsrfToken()],
  ['getProviders', 'providers', () => client.getProviders()],
  ['signIn', 'providers', () => client.signIn('github', { redirect: false })],
  ['signIn with a passkey', 'providers', () => passkeys.signIn('passkey').catch(() => {})],
])('asks below the base path of Next, without a provider: %s', async (_, endpoint, call) => {
  await call()
  expect(asked[0]).toBe(`https://example.com/shop/api/auth/${endpoint}`)
})
