import { createAuth, skipCSRFCheck } from '@siteauth/core'
import GitHub from '@siteauth/core/providers/github'
import { describe, expect, it } from 'vitest'
import { createTestAuth } from '../../../test/visitor.ts'
import { parsePath } from '../http/parse-path.ts'
import { AUTH_ACTIONS, type AuthAction } from '../http/request.ts'
import { ENDPOINTS } from './routes.ts'

// The compiler asks for a row for each endpoint, and for every property in it. Here is what the properties do.

const ORIGIN = 'https://app.example.com'
const PROVIDERS = [GitHub({ clientId: 'app', clientSecret: 'secret' })]
const application = createTestAuth({ providers: PROVIDERS, trustHost: true, basePath: '/auth' })
const withoutSecret = createAuth(
  {
    providers: PROVIDERS,
    trustHost: true,
    basePath: '/auth',
    logger: { error() {}, warn() {}, debug() {} },
  },
  { env: { NODE_ENV: 'production' } },
)

function ask(
  { handle }: Pick<typeof application, 'handle'>,
  action: AuthAction,
  init?: RequestInit,
): Promise<Response> {
  const path = 'GET oauth' in ENDPOINTS[action].flows ? `${action}/github` : action
  return handle(new Request(`${ORIGIN}/auth/${path}`, init))
}

describe.each(AUTH_ACTIONS)('the endpoint %s', action => {
  const { kind, provider, prefetch, head, flows } = ENDPOINTS[action]
  const methods = Object.keys(flows)
  // This application has no passwords and no passkeys.
  const isReadable = provider !== 'password' && /GET( oauth)?(,|$)/.test(methods.join())

  it(`${prefetch ? 'ignores' : 'refuses'} a prefetch`, async () => {
    const response = await ask(application, action, { headers: { purpose: 'prefetch' } })
    const text = await response.text()
    expect(text.includes('This page cannot be prefetched.')).toBe(!prefetch)
  })

  if (isReadable) {
    it(`${head ? 'answers' : 'refuses'} HEAD`, async () => {
      const { status } = await ask(application, action, { method: 'HEAD' })
      expect(status === 405).toBe(!head)
    })
  }

  it(`answers a broken configuration with ${kind === 'page' ? 'a page' : 'JSON'}`, async () => {
    const response = await ask(withoutSecret, action, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(500)
    const type = kind === 'page' ? 'text/html' : 'application/json'
    expect(response.headers.get('content-type')).toContain(type)
  })

  it(`${provider === 'path' ? 'accepts a' : 'has no'} provider in its path`, () => {
    const target = parsePath(`/auth/${action}/github`, ['/auth'])
    expect(target?.providerId).toBe(provider === 'path' ? 'github' : undefined)
  })

  it('has a flow for a kind of provider only if its path names one', () => {
    const ofKinds = methods.filter(key => key.includes(' '))
    expect(ofKinds.length > 0).toBe(provider === 'path')
  })

  it('accepts no other methods', async () => {
    const { status } = await ask(application, action, { method: 'DELETE' })
    expect([404, 405]).toContain(status)
  })
})

const UNKNOWN = AUTH_ACTIONS.filter(action => ENDPOINTS[action].unknownMessage)

it.each(UNKNOWN)('the endpoint %s tells scripts that the answer is unknown', async action => {
  const { unknownMessage, flows } = ENDPOINTS[action]
  const down = () => Promise.reject(new Error('down'))
  const broken = createTestAuth({
    providers: PROVIDERS,
    trustHost: true,
    basePath: '/auth',
    skipCSRFCheck,
    session: { strategy: 'database' },
    account: { exposeTokens: ['github'] },
    adapter: new Proxy({}, { get: () => down }),
  })
  const headers = {
    cookie: '__Secure-authjs.session-token=some',
    accept: 'application/json',
    'content-type': 'application/json',
  }
  const body = JSON.stringify({ others: 'true', provider: 'github', accountId: 'ann' })
  const isPost = 'POST' in flows
  const response = await ask(
    broken,
    action,
    isPost ? { method: 'POST', headers, body } : { headers },
  )
  expect(await response.text()).toContain(unknownMessage)
})
