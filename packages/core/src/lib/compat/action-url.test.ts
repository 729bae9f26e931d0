import { describe, expect, it } from 'vitest'
import { recordingLogger } from '../../../test/visitor.ts'
import { InvalidConfiguration, UntrustedHost } from '../base/errors.ts'
import { createActionURL } from './action-url.ts'

interface Given {
  readonly action?: 'session' | 'signin' | 'signout'
  readonly protocol?: string
  readonly headers?: Record<string, string>
  readonly env?: Record<string, string>
  readonly basePath?: string
  readonly trustHost?: boolean | string[]
}

function urlFor(given: Given) {
  const { action = 'signout', protocol = '', headers = {}, env = {}, ...config } = given
  const { logger, warnings } = recordingLogger()
  const url = createActionURL(action, protocol, new Headers(headers), env, { ...config, logger })
  return { href: url.href, warnings }
}

const host = 'example.com'
const basePath = '/auth'

describe('the URL of an endpoint', () => {
  const rows: readonly (readonly [string, Given, string])[] = [
    [
      'a host alone means https',
      { headers: { host }, basePath },
      'https://example.com/auth/signout',
    ],
    [
      'a protocol is used',
      { headers: { host }, protocol: 'http', basePath },
      'http://example.com/auth/signout',
    ],
    [
      'a forwarded host goes first',
      { headers: { host: 'internal', 'x-forwarded-host': host }, basePath },
      'https://example.com/auth/signout',
    ],
    [
      'a forwarded protocol goes first',
      { headers: { host, 'x-forwarded-proto': 'https' }, protocol: 'http', basePath },
      'https://example.com/auth/signout',
    ],
    [
      'http may end with a colon',
      { headers: { host }, protocol: 'http:', basePath },
      'http://example.com/auth/signout',
    ],
    [
      'https may end with a colon',
      { headers: { host }, protocol: 'https:', basePath },
      'https://example.com/auth/signout',
    ],
    [
      'a forwarded protocol is enough: https',
      { headers: { host, 'x-forwarded-proto': 'https' }, basePath },
      'https://example.com/auth/signout',
    ],
    [
      'a forwarded protocol is enough: http',
      { headers: { host, 'x-forwarded-proto': 'http' }, basePath },
      'http://example.com/auth/signout',
    ],
    [
      'the last of several forwarded hosts counts, and https wherever it stands',
      {
        headers: {
          'x-forwarded-host': 'evil.example, example.com',
          'x-forwarded-proto': 'https, http',
        },
        basePath,
      },
      'https://example.com/auth/signout',
    ],
    [
      'AUTH_URL without a path',
      { env: { NODE_ENV: 'test', AUTH_URL: 'http://localhost:3000' }, basePath },
      'http://localhost:3000/auth/signout',
    ],
    [
      'AUTH_URL of a subdomain',
      { env: { NODE_ENV: 'test', AUTH_URL: 'https://sub.domain.com' }, basePath },
      'https://sub.domain.com/auth/signout',
    ],
    [
      'AUTH_URL with a path and no base path',
      { env: { NODE_ENV: 'test', AUTH_URL: 'https://sub.domain.com/api/auth' } },
      'https://sub.domain.com/api/auth/signout',
    ],
    [
      'AUTH_URL with the base path, which is not repeated',
      {
        env: { NODE_ENV: 'test', AUTH_URL: 'https://sub.domain.com/api/auth/' },
        basePath: '/api/auth',
      },
      'https://sub.domain.com/api/auth/signout',
    ],
    [
      'AUTH_URL with a prefix before the base path',
      { env: { NODE_ENV: 'test', AUTH_URL: 'https://x.test/docs/auth' }, basePath },
      'https://x.test/docs/auth/signout',
    ],
    [
      'NEXTAUTH_URL',
      { env: { NEXTAUTH_URL: 'https://x.test' }, basePath },
      'https://x.test/auth/signout',
    ],
    ['no base path at all', { headers: { host } }, 'https://example.com/signout'],
    ['the root as base path', { headers: { host }, basePath: '/' }, 'https://example.com/signout'],
    [
      'IPv6',
      { headers: { host: '[::1]:3000' }, protocol: 'http', basePath },
      'http://[::1]:3000/auth/signout',
    ],
  ]

  it.each(rows)('%s', (_what, given, href) => {
    expect(urlFor(given)).toEqual({ href, warnings: [] })
  })

  it('follows the base path where AUTH_URL has another, and warns of it', () => {
    expect(
      urlFor({ env: { NODE_ENV: 'test', AUTH_URL: 'https://x.test/other' }, basePath }),
    ).toEqual({
      href: 'https://x.test/auth/signout',
      warnings: ['env-url-basepath-mismatch'],
    })
  })

  it('is that of AUTH_URL whatever the headers say', () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    }
    const given = { headers, env: { NODE_ENV: 'test', AUTH_URL: 'https://x.test' }, basePath }
    expect(urlFor(given).href).toBe('https://x.test/auth/signout')
  })

  it('is made for listed hosts only, where there is a list', () => {
    const given = { headers: { host }, basePath, trustHost: [host] }
    expect(urlFor(given).href).toBe('https://example.com/auth/signout')
    expect(() => urlFor({ ...given, headers: { host: 'evil.example' } })).toThrow(UntrustedHost)
  })

  it.each([
    {},
    { host: '' },
    { host: 'a b' },
    { host: 'evil.com:fake@example.com' },
    { host: 'x/y' },
  ])('cannot be made from %j', headers => {
    expect(() => urlFor({ headers, basePath })).toThrow(UntrustedHost)
  })

  it('cannot be made where AUTH_URL is no URL: no other origin may take its place', () => {
    const given = { headers: { host }, env: { NODE_ENV: 'test', AUTH_URL: 'nonsense' }, basePath }
    expect(() => urlFor(given)).toThrow(InvalidConfiguration)
  })
})
