import { createAuth } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { at } from '../../core/test/revocation/network.ts'
import { isIn, rotated } from '../../core/test/sessions/site.ts'
import { SECRET, Visitor } from '../../core/test/visitor.ts'
import { OUR_STORES } from './stores.ts'

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`with ${name}`, () => {
    it.each(['jwt', 'database'] as const)(
      'signing out ends a %s session that a server two minutes behind has rotated',
      async strategy => {
        const { adapter, close } = await open()
        const user = { id: crypto.randomUUID(), email: 'ann@example.test', emailVerified: null }
        const { id } = await adapter.createUser(user)
        const server = (behind: number) =>
          createAuth(
            {
              secret: SECRET,
              adapter,
              session: { strategy },
              ports: { now: () => Date.now() - behind },
              providers: [
                {
                  id: 'password',
                  name: 'Password',
                  type: 'credentials',
                  credentials: {},
                  authorize: () => adapter.getUser(id),
                },
              ],
            },
            { env: { NODE_ENV: 'test', AUTH_URL: 'https://app.example.com/auth' } },
          )
        const auth = server(0)
        const ann = new Visitor(auth.handle)
        await ann.post('/callback/password')
        const next = await rotated(server(120_000), ann)
        expect(next && (await isIn(next))).toBe(true)
        await at(auth, ann).post('/signout')
        expect(next && (await isIn(next))).toBe(false)
        await close()
      },
    )
  })
}
