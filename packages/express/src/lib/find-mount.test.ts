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
    ['/app', '/auth/callback/github', '/app/auth'],
    // a provider by the name of an endpoint, and a base path by that of another
    ['/auth/callback/session', '/', '/auth'],
    ['/auth/callback/csrf', '/', '/auth/callback'],
    // no endpoint
    ['/auth', '/', '/auth'],
    ['/auth', '/nonsense', '/auth'],
    ['/auth', '/session/more/still', '/auth'],
    ['/auth/nonsense', '/', '/auth/nonsense'],
    ['', '', ''],
  ])('of "%s" and "%s" is "%s"', (baseUrl, rest, expected) => {
    expect(findMount(baseUrl, rest, isProvider)).toBe(expected)
  })
})
