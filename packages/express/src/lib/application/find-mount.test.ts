import { describe, expect, it } from 'vitest'
import { findMount } from './find-mount.ts'

const isProvider = (id: string) => ['github', 'session'].includes(id)

const anywhere = { isRoute: false, params: {}, configured: '', assumed: '/auth' }

describe('findMount', () => {
  it.each([
    // mounted plainly
    ['/auth', '/session', '/auth'],
    ['/auth', '/callback/github', '/auth'],
    ['/auth', '/callback/unknown', '/auth'],
    ['/session/auth', '/session', '/session/auth'],
    ['/a/callback', '/signin/github', '/a/callback'],
    ['', '/session', ''],
    // the mount has swallowed the path
    ['/auth/session', '/', '/auth'],
    ['/auth/session/', '', '/auth'],
    ['/auth//session', '/', '/auth'],
    ['/auth/callback/github', '/', '/auth'],
    ['/auth/callback/unknown', '/', '/auth'],
    ['/session/auth/session', '/', '/session/auth'],
    // or a part of it
    ['/auth/callback', '/github', '/auth'],
    // a provider by the name of an endpoint, and a base path by that of another
    ['/auth/callback/session', '/', '/auth'],
    ['/callback/auth/callback/csrf', '/', null],
    // a script of the pages
    ['/auth', '/assets/page.1.js', '/auth'],
    ['/auth/assets/page.1.js', '/', '/auth'],
    // no endpoint
    ['/auth', '/', null],
    ['/auth', '/nonsense', null],
    ['/auth', '/session/more/still', null],
    // something between the mount and what would be an endpoint
    ['/auth', '/a/b/session', null],
    ['/auth', '/x/callback/github', null],
    ['/auth/nonsense', '/', null],
    ['', '', null],
    // at the root, only what is there
    ['', '/auth/session', null],
    ['', '/static/img/session', null],
    // a mount of which nothing is known but the path that a visitor chose
    ['/static/img/session', '/', null],
    // another host, to a browser
    ['//evil.example', '/session', null],
    ['//evil.example/auth/session', '/', null],
    ['/\\\\evil.example', '/session', null],
    ['/\\\\evil.example/auth/session', '/', null],
    ['/a//auth', '/session', null],
  ])('of "%s" and "%s" is %j', (baseUrl, rest, expected) => {
    expect(findMount({ ...anywhere, baseUrl, rest }, isProvider)).toBe(expected)
  })

  it.each([
    ['/login/session', '/', { splat: ['session'] }, '/login'],
    ['/login/callback/github', '/', { splat: ['callback', 'github'] }, '/login'],
    ['/signin/callback/github', '/', { splat: ['callback', 'github'] }, '/signin'],
    ['/login/callback/github', '/', { action: 'callback', provider: 'github' }, '/login'],
    ['/login/session', '/', { 0: '/session' }, '/login'],
    ['/login/callback', '/github', { action: 'callback' }, '/login'],
    ['/static/img/session', '/', { splat: ['static', 'img', 'session'] }, null],
    ['/static/img/session', '/', { 0: '/static/img/session' }, null],
    ['/auth/x/session', '/', { splat: ['x', 'session'] }, null],
    ['/authx/session', '/', { 0: 'x/session' }, null],
  ])('of "%s" and "%s" with %j is %j', (baseUrl, rest, params, expected) => {
    expect(findMount({ ...anywhere, baseUrl, rest, params }, isProvider)).toBe(expected)
  })

  it('takes all of a path for a mount where it came to a route', () => {
    const position = { ...anywhere, baseUrl: '/app', rest: '/auth/callback/github', isRoute: true }
    expect(findMount(position, isProvider)).toBe('/app/auth')
  })

  it.each([
    ['/app', '/auth/session', '/auth', '/app/auth'],
    ['/app', '/auth/session', '/app/auth', '/app/auth'],
    ['', '/auth/session', '/auth', '/auth'],
    ['', '/auth/session', '/prefix/auth', '/auth'],
    ['/app/auth/session', '/', '/auth', '/app/auth'],
    ['', '/session', '/auth', null],
    ['', '/static/session', '/auth', null],
    ['', '/static/auth/session', '/auth', null],
    ['/static/session', '/', '/auth', null],
    ['/app/auth', '/x/auth/session', '/auth', null],
    ['', '//evil.example/auth/session', '/auth', null],
  ])('of "%s" and "%s" where "%s" is configured is %j', (baseUrl, rest, configured, expected) => {
    expect(findMount({ ...anywhere, baseUrl, rest, configured }, isProvider)).toBe(expected)
  })

  it.each([
    ['/static', '/session', { any: 'static' }],
    ['/static/auth/session', '/', { splat: ['static', 'auth', 'session'] }],
  ])('of "%s" and "%s" with %j is none where "/auth" is configured', (baseUrl, rest, params) => {
    expect(
      findMount({ ...anywhere, baseUrl, rest, params, configured: '/auth' }, isProvider),
    ).toBeNull()
  })
})
