import { describe, expect, it } from 'vitest'
import { findMount } from './find-mount.ts'

const isProvider = (id: string) => ['github', 'session'].includes(id)

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
    ['/signin/callback/github', '/', '/signin'],
    // or a part of it
    ['/auth/callback', '/github', '/auth'],
    // a route takes nothing off
    ['', '/auth/session', '/auth'],
    // a provider by the name of an endpoint, and a base path by that of another
    ['/auth/callback/session', '/', '/auth'],
    ['/auth/callback/csrf', '/', '/auth/callback'],
    // no endpoint
    ['/auth', '/', '/auth'],
    ['/auth', '/nonsense', '/auth'],
    ['/auth', '/session/more/still', '/auth'],
    // something between the mount and what would be an endpoint
    ['/auth', '/a/b/session', '/auth'],
    ['/auth', '/x/callback/github', '/auth'],
    ['/auth/nonsense', '/', '/auth/nonsense'],
    ['', '', ''],
  ])('of "%s" and "%s" is "%s"', (baseUrl, rest, expected) => {
    const position = { baseUrl, rest, isRoute: false, said: '' }
    expect(findMount(position, isProvider)).toBe(expected)
  })

  it('takes all of a path for a mount where it came to a route', () => {
    const position = { baseUrl: '/app', rest: '/auth/callback/github', isRoute: true, said: '' }
    expect(findMount(position, isProvider)).toBe('/app/auth')
  })

  it.each([
    ['/app', '/auth/session', '/auth', '/app/auth'],
    ['/app', '/auth/session', '/app/auth', '/app/auth'],
    ['/app/auth', '/x/auth/session', '/auth', '/app/auth'],
  ])('of "%s" and "%s" where "%s" is configured is "%s"', (baseUrl, rest, said, expected) => {
    expect(findMount({ baseUrl, rest, isRoute: false, said }, isProvider)).toBe(expected)
  })
})
