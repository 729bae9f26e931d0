import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../../../test/any-text.ts'
import { parsePath } from './parse-path.ts'
import { AUTH_ACTIONS } from './request.ts'

const parse = (pathname: string) => parsePath(pathname, ['/auth'])

/** The path as it arrives: what a URL says once it has been parsed. */
function parseUrl(path: string) {
  return parse(new URL(`https://app.example.com${path}`).pathname)
}

describe('a path that names an endpoint', () => {
  it.each(AUTH_ACTIONS)('is %s below the base path', action => {
    expect(parse(`/auth/${action}`)).toEqual({ action, providerId: undefined })
  })

  it.each(['signin', 'callback', 'webauthn-options'] as const)(
    'may name a provider: %s',
    action => {
      expect(parse(`/auth/${action}/github`)).toEqual({ action, providerId: 'github' })
      expect(parse(`/auth/${action}/github/`)).toEqual({ action, providerId: 'github' })
    },
  )

  it.each([
    '/auth/signin',
    '/auth/signin/',
    '/auth/signin///',
    '/auth//signin',
    '/auth///signin//',
  ])('may have more slashes than it needs: %s', path => {
    expect(parse(path)).toEqual({ action: 'signin', providerId: undefined })
  })

  it('has no provider where a client has put its absence into the path', () => {
    expect(parse('/auth/signin/undefined')).toEqual({ action: 'signin', providerId: undefined })
  })

  it('may name a provider with any characters, percent-encoded', () => {
    expect(parse('/auth/callback/my%20provider')?.providerId).toBe('my provider')
    expect(parse('/auth/callback/a%2Fb')?.providerId).toBe('a/b')
    expect(parse('/auth/callback/%C3%A9')?.providerId).toBe('é')
  })

  it('is found below any of the base paths, and below none', () => {
    const target = { action: 'session', providerId: undefined }
    expect(parsePath('/docs/auth/session', ['/docs/auth', '/auth'])).toEqual(target)
    expect(parsePath('/auth/session', ['/docs/auth', '/auth'])).toEqual(target)
    expect(parsePath('/session', [''])).toEqual(target)
    expect(parsePath('/api/auth/session', ['/api/auth'])).toEqual(target)
    expect(parsePath('/auth/session', [])).toBeNull()
  })

  it('leads back to the provider that it was made for', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), id => {
        fc.pre(id !== 'undefined')
        const path = `/auth/callback/${encodeURIComponent(id)}`
        expect(parse(path)).toEqual({ action: 'callback', providerId: id })
      }),
    )
  })
})

describe('a path that names none', () => {
  it.each([
    ['a misspelt base', '/auht/signin'],
    ['something before the base', '/x/auth/signin'],
    ['the base twice', '/auth/auth/signin/github'],
    ['a misspelt action', '/auth/sign'],
    ['a misspelt action with a provider', '/auth/signinn/github'],
    ['a third piece', '/auth/callback/github/extra'],
    ['the base inside', '/auth/signin/auth/github'],
    ['the base alone', '/auth'],
    ['the base and a slash', '/auth/'],
    ['nothing', '/'],
    ['empty', ''],
    ['a provider where there can be none', '/auth/session/github'],
    ['a provider for sign-out', '/auth/signout/github'],
    ['no boundary', '/authsession'],
    ['no boundary before a slash', '/authx/session'],
    ['upper case', '/AUTH/session'],
    ['an action in upper case', '/auth/SESSION'],
    ['an action with a suffix', '/auth/session.json'],
    ['an action with another suffix', '/auth/session.css'],
    ['an action with a parameter', '/auth/session;x=y'],
    ['an action with a dot at its end', '/auth/session.'],
    ['an action that is percent-encoded', '/auth/%73ession'],
    ['a slash that is percent-encoded', '/auth%2fsession'],
    ['a backslash that is percent-encoded', '/auth%5csession'],
    ['a NUL', '/auth/session%00'],
    ['a tab', '/auth/session%09'],
    ['a line feed', '/auth/session%0a'],
    ['a hash that is percent-encoded', '/auth/session%23'],
    ['a question mark that is percent-encoded', '/auth/session%3f'],
    ['an encoded slash at its end', '/auth/session%2f'],
    ['broken percent-encoding', '/auth/callback/%'],
    ['broken percent-encoding of a character', '/auth/callback/%E0%A4'],
    ['a name that every object has', '/auth/constructor'],
    ['another name that every object has', '/auth/__proto__'],
  ])('has %s', (_what, path) => {
    expect(parse(path)).toBeNull()
    if (path.startsWith('/')) expect(parseUrl(path)).toBeNull()
  })
})

describe('a path that is written to mislead', () => {
  it.each([
    ['/auth/./session', 'session'],
    ['/auth/%2e/session', 'session'],
    ['/x/../auth/session', 'session'],
    ['/auth/x/%2e%2e/session', 'session'],
    ['/auth\\session', 'session'],
    ['/auth/signout/../session', 'session'],
  ])('is taken for what browsers and servers take it: %s', (path, action) => {
    expect(parseUrl(path)).toEqual({ action, providerId: undefined })
  })

  it.each([
    '/auth/../session',
    '/auth/%2e%2e/session',
    '/auth/..%2fsession',
    '/auth/callback/../../x',
  ])('does not lead out of the base path: %s', path => {
    expect(parseUrl(path)).toBeNull()
  })

  it('is decoded once only, so that what was encoded twice stays encoded', () => {
    expect(parse('/auth/callback/%252e%252e')?.providerId).toBe('%2e%2e')
    expect(parse('/auth/callback/%25252f')?.providerId).toBe('%252f')
  })

  it('is never more than null or a target', () => {
    fc.assert(
      fc.property(anyText(), text => {
        for (const path of [text, `/auth/${text}`, `/auth/callback/${text}`]) {
          const target = parse(path)
          if (target) expect(AUTH_ACTIONS).toContain(target.action)
        }
      }),
    )
  })
})
