import { isPromise } from '@siteauth/core/internal'
import { expect, it } from 'vitest'
import { settingsOf } from '../src/lib/config/settings.ts'

const SECRET = 'a test secret that is long enough!'

it('waits once for a configuration that has to be completed before sessions are read', async () => {
  const loader = await settingsOf({
    providers: [],
    secret: SECRET,
    cookies: { sessionToken: { name: 'mine' } },
  }).of({})
  const first = loader.sessions()
  expect(isPromise(first)).toBe(true)
  await first
  const second = loader.sessions()
  expect(isPromise(second)).toBe(false)
  expect(second).toMatchObject({ http: { cookieOptions: { sessionToken: { name: 'mine' } } } })
})
