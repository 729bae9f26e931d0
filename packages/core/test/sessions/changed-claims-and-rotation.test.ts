import { expect, it } from 'vitest'
import { rotate } from '../visitor.ts'
import { COOKIE, createSite, isIn, once, SECOND } from './site.ts'

const URL_OF_A_PAGE = 'https://app.example.com/settings'

it('the token that follows has what the jwt callback has changed, which may be used up', async () => {
  const exchanged: unknown[] = []
  const site = await createSite(
    'jwt',
    {},
    {
      callbacks: {
        jwt({ token, user }) {
          if (user) return { ...token, refresh: 0 }
          if (token['refresh'] !== 0) return token
          exchanged.push(token['refresh'])
          return { ...token, refresh: 1 }
        },
      },
    },
  )
  const ann = await site.signedIn()
  await rotate(site.auth, ann)
  expect(await isIn(ann)).toBe(true)
  expect(exchanged).toEqual([0])
})

it('claims that a slow call has changed leave the cookie of a rotation', async () => {
  let reads = 0
  const site = await createSite(
    'jwt',
    {},
    { callbacks: { jwt: ({ token }) => ({ ...token, reads: ++reads }) } },
  )
  const ann = await site.signedIn()
  const rotateMeanwhile = once(() => rotate(site.auth, ann))
  const { listAccounts } = site.store
  const slow = site.node({
    store: {
      ...site.store,
      async listAccounts(userId) {
        await rotateMeanwhile()
        return listAccounts(userId)
      },
    },
  })
  const request = { headers: { cookie: ann.cookieHeader() }, url: URL_OF_A_PAGE }
  await slow.accounts.list(request)
  expect(slow.takeSetCookies(request).filter(line => line.startsWith(COOKIE))).toEqual([])
  site.clock.now += 60 * SECOND
  expect(await isIn(ann)).toBe(true)
})
