import { RequestCookies } from 'next/dist/compiled/@edge-runtime/cookies/index.js'
import { expect, it } from 'vitest'
import { type CurrentRequest, cookieHeader } from './current-request.ts'

const COOKIES = '\u00a0__Host-a=planted; __Host-a=old; b="1"; \u00fc=2; flag;\t__Host-a =older'

function change(names: readonly string[]): string {
  const headers = new Headers({ cookie: COOKIES })
  const jar = new RequestCookies(headers)
  for (const name of names) jar.set(name, 'new')
  const sent = new Headers({ cookie: COOKIES })
  return cookieHeader({ headers: sent, jar: jar as unknown as CurrentRequest['jar'] })
}

it('a request that sets no cookies has the header that came', () => {
  expect(change([])).toBe(COOKIES)
})

it('a cookie that a request sets replaces those of its name, and keeps all others byte for byte', () => {
  expect(change(['__Host-a'])).toBe('\u00a0__Host-a=planted; b="1"; \u00fc=2; flag; __Host-a=new')
})
