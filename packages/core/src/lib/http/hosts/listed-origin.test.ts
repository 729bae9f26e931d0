import { describe, expect, it } from 'vitest'
import { isListedOrigin } from './listed-origin.ts'

describe('a list of origins', () => {
  it.each([
    ['https://preview.example.com', 'https://preview.example.com/auth/callback/op'],
    ['https://preview.example.com:443', 'https://preview.example.com'],
    ['https://Preview.Example.com', 'https://preview.example.com'],
    ['https://*.preview.example.com', 'https://a.preview.example.com'],
    ['https://app-*.example.com', 'https://app-7f3.example.com'],
    ['https://*-team.example.com', 'https://app-team.example.com'],
    ['https://*.pr-*.example.com', 'https://web.pr-12.example.com'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['http://*.localhost:3000', 'http://a.localhost:3000'],
  ])('with %s has %s', (entry, url) => {
    expect(isListedOrigin(url, ['https://other.test', entry])).toBe(true)
  })

  it.each([
    ['https://preview.example.com', 'http://preview.example.com'],
    ['https://preview.example.com', 'https://preview.example.com:8443'],
    ['https://preview.example.com', 'https://preview.example.com.evil.test'],
    ['https://preview.example.com', 'https://preview.example.com@evil.test'],
    ['https://*.preview.example.com', 'https://preview.example.com'],
    ['https://*.preview.example.com', 'https://a.b.preview.example.com'],
    ['https://*.preview.example.com', 'https://evil.test/.preview.example.com'],
    ['https://*.preview.example.com', 'https://evil.test?.preview.example.com'],
    ['https://app-*.example.com', 'https://app-.example.com'],
    ['https://app-*.example.com', 'https://app-x.evil.test.example.com'],
    ['https://app-*.example.com', 'https://evil.test'],
    ['https://a*a.example.com', 'https://a.example.com'],
    ['https://preview.example.com', 'javascript:alert(1)'],
    ['https://preview.example.com', 'not a URL'],
    ['', 'data:text/html,x'],
    ['capacitor://localhost', 'data:text/html,x'],
    ['https://a*b*c.example.com', 'https://axb.example.com'],
  ])('with %s has no %s', (entry, url) => {
    expect(isListedOrigin(url, [entry])).toBe(false)
  })

  it('that is empty has nothing', () => {
    expect(isListedOrigin('https://preview.example.com', [])).toBe(false)
  })
})
