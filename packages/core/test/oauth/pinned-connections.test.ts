import dns from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'
import { gzipSync } from 'node:zlib'
import { customFetch } from '@siteauth/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPinnedFetch } from '../../src/lib/oauth/pinned-fetch.ts'
import { publicFetch } from '../../src/lib/oauth/public-fetch.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

let server: Server | null = null
afterEach(() => {
  server?.close()
  server?.closeAllConnections()
  server = null
})

async function listen(respond: RequestListener): Promise<number> {
  server = createServer(respond)
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** What names resolve to from now on: one list of addresses for each time that is asked. */
function resolveTo(...answers: readonly (readonly string[])[]) {
  const rest = [...answers]
  const { lookup } = dns
  const answer = (...given: unknown[]) => {
    const [name, options] = given
    if (isIP(String(name))) return Reflect.apply(lookup, dns, given)
    const done = given.at(-1) as (...result: unknown[]) => void // as Node calls it
    const found = (rest.length > 1 ? rest.shift() : rest[0]) ?? []
    const all = found.map(address => ({ address, family: isIP(address) }))
    if (Object(options).all) done(null, all)
    else done(null, all[0]?.address, all[0]?.family)
  }
  return vi.spyOn(dns, 'lookup').mockImplementation(answer as typeof dns.lookup)
}

/** An application whose provider is at a public name, and the paths that were asked for there. */
async function createSite(host: string, more: object = {}) {
  const asked: string[] = []
  const port = await listen((request, response) => {
    asked.push(request.url ?? '')
    const issuer = `http://${host}:${port}`
    const at = (path: string) => `${issuer}/${path}`
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        issuer,
        authorization_endpoint: at('authorize'),
        token_endpoint: at('token'),
        userinfo_endpoint: at('userinfo'),
        jwks_uri: at('jwks'),
      }),
    )
  })
  const auth = createTestAuth({
    trustHost: true,
    providers: [
      {
        id: 'idp',
        name: 'Provider',
        type: 'oidc',
        issuer: `http://${host}:${port}`,
        clientId: 'app',
        clientSecret: 'a secret of the application',
        allowInsecureRequests: true,
        ...more,
      },
    ],
  })
  const visitor = new Visitor(auth.handle)
  const start = async () => (await visitor.post('/signin/idp', {})).headers.get('location') ?? ''
  return { asked, auth, start }
}

const reasonsOf = (errors: readonly Error[]) =>
  JSON.stringify(errors.map(each => `${each.message} ${Object(each.cause).err?.message}`))

describe('a provider at a public name', () => {
  it.each([
    ['this machine', '127.0.0.1'],
    ['the metadata of a cloud', '169.254.169.254'],
    ['a private network', '10.0.0.7'],
    ['this machine by IPv6', '::1'],
    ['an IPv4 address in IPv6', '::ffff:127.0.0.1'],
    ['a translated private address', '64:ff9b::7f00:1'],
  ])('is not connected to if the name resolves to %s', async (_, address) => {
    resolveTo([address])
    const { asked, auth, start } = await createSite('idp.example.com')
    expect(await start()).toContain('error=Configuration')
    expect(asked).toEqual([])
    expect(reasonsOf(auth.errors)).toContain('resolves to an address of a private network only')
  })

  it('may be on a private network if its name says so', async () => {
    resolveTo(['127.0.0.1'])
    const { asked, start } = await createSite('idp.corp')
    expect(await start()).toContain('/authorize')
    expect(asked).toEqual(['/.well-known/openid-configuration'])
  })

  it('is asked through a proxy, if there is one, and by the fetch of the application', async () => {
    resolveTo(['127.0.0.1'])
    vi.stubEnv('HTTPS_PROXY', 'http://proxy.example.com:3128')
    const behindProxy = await createSite('idp.example.com')
    expect(await behindProxy.start()).toContain('/authorize')
    vi.unstubAllEnvs()
    const own = await createSite('idp.example.com', {
      [customFetch]: (input: RequestInfo | URL, init?: RequestInit) => fetch(input, init),
    })
    expect(await own.start()).toContain('/authorize')
  })
})

describe('the metadata of a provider at a public name', () => {
  const issuer = 'https://idp.example.com'

  it.each([
    'https://localhost',
    'https://127.1',
    'https://0x7f.1',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:0:169.254.169.254]',
    'https://169.254.169.254',
    'https://168.63.129.16',
    'https://[fd00:ec2::254]',
    'https://vault.default.svc',
    'https://sso.corp',
    'http://idp.example.com',
  ])('leads to nothing at %s', async place => {
    for (const name of ['token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
      const requested: string[] = []
      const answer = async (input: RequestInfo | URL) => {
        requested.push(String(input))
        const endpoints = {
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          userinfo_endpoint: `${issuer}/userinfo`,
          jwks_uri: `${issuer}/jwks`,
        }
        return Response.json({ issuer, ...endpoints, [name]: `${place}/x` })
      }
      const { start } = await createSite('idp.example.com', {
        issuer,
        allowInsecureRequests: false,
        [customFetch]: answer,
      })
      expect(await start(), name).toContain('error=Configuration')
      expect(requested, name).toEqual([`${issuer}/.well-known/openid-configuration`])
    }
  })
})

describe('a fetch that is not the one of Node', () => {
  it.each([
    ['by Next, is passed over', { isNext: true }, []],
    ['by anybody else, is used', { isNext: false }, ['replaced']],
  ] as const)('and was put in its place %s', async (_, { isNext }, expected) => {
    resolveTo(['127.0.0.1'])
    const { start } = await createSite('idp.example.com')
    const used: string[] = []
    const original = globalThis.fetch
    const replaced = () => {
      used.push('replaced')
      return Promise.reject(new Error('not connected'))
    }
    vi.stubGlobal('fetch', Object.assign(replaced, isNext && { _nextOriginalFetch: original }))
    expect(await start()).toContain('error=Configuration')
    vi.unstubAllGlobals()
    expect(used).toEqual(expected)
  })

  it('connects for endpoints that the application has configured, wherever they are', async () => {
    const plain = vi.fn(async () => new Response('plain'))
    resolveTo(['127.0.0.1'])
    const ask = publicFetch(plain, new Set(['http://idp.example.com:9/token']))
    expect(await (await ask('http://idp.example.com:9/token')).text()).toBe('plain')
    await expect(ask('http://idp.example.com:9/userinfo')).rejects.toThrow('private network only')
    expect(plain).toHaveBeenCalledTimes(1)
  })
})

describe('a pinned connection', () => {
  const onlyHere = (address: string) => address !== '127.0.0.1'

  it('goes to the address that was looked at, and not to one that the name resolves to later', async () => {
    const port = await listen((_, response) => response.end('here'))
    const lookup = resolveTo(['10.0.0.1', '127.0.0.1'], ['169.254.169.254'])
    const response = await createPinnedFetch(onlyHere)(`http://rebound.example.com:${port}/`)
    expect(await response.text()).toBe('here')
    expect(lookup).toHaveBeenCalledTimes(1)
    await expect(
      createPinnedFetch(onlyHere)(`http://rebound.example.com:${port}/`),
    ).rejects.toThrow('resolves to an address of a private network only')
  })

  it('sends what fetch sends, and follows no redirect', async () => {
    const port = await listen(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      response.writeHead(
        302,
        'Found',
        [
          ['location', '/next'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ].flat(),
      )
      response.end(
        JSON.stringify({
          method: request.method,
          url: request.url,
          type: request.headers['content-type'],
          own: request.headers['x-own'],
          host: request.headers.host,
          body,
        }),
      )
    })
    resolveTo(['127.0.0.1'])
    const response = await createPinnedFetch(onlyHere)(`http://idp.example.com:${port}/token?a=b`, {
      method: 'POST',
      headers: { 'x-own': 'yes' },
      body: new URLSearchParams({ code: 'ä' }),
      redirect: 'manual',
    })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/next')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({
      method: 'POST',
      url: '/token?a=b',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
      own: 'yes',
      host: `idp.example.com:${port}`,
      body: 'code=%C3%A4',
    })
  })

  it('reads compressed and empty responses', async () => {
    const port = await listen((request, response) => {
      if (request.url === '/empty') response.writeHead(204).end()
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('compressed'))
    })
    resolveTo(['127.0.0.1'])
    const ask = createPinnedFetch(onlyHere)
    expect((await ask(`http://idp.example.com:${port}/empty`)).status).toBe(204)
    expect(await (await ask(`http://idp.example.com:${port}/`)).text()).toBe('compressed')
  })

  it('ends when it is aborted, and fails if nobody listens', async () => {
    const aborted = new AbortController()
    const port = await listen(() => aborted.abort(new Error('enough')))
    resolveTo(['127.0.0.1'])
    const ask = createPinnedFetch(onlyHere)
    const { signal } = aborted
    await expect(ask(`http://idp.example.com:${port}/`, { signal })).rejects.toThrow()
    server?.close()
    server?.closeAllConnections()
    await expect(ask(`http://idp.example.com:${port}/`)).rejects.toThrow('ECONNREFUSED')
  })
})
