import { createAuth } from '@siteauth/core'
import { describe, expect, it } from 'vitest'
import { isIn, rotated } from '../../core/test/sessions/site.ts'
import { SECRET, Visitor } from '../../core/test/visitor.ts'
import { OUR_STORES } from './stores.ts'

for (const { name, isThere, open } of OUR_STORES) {
  describe.skipIf(!isThere)(`with ${name}`, () => {
    it.each(['jwt', 'database'] as const)('a %s session gets a new token', async strategy => {
      const { adapter, close } = await open()
      const { id } = await adapter.createUser({
        id: crypto.randomUUID(),
        name: 'Ann',
        email: `${crypto.randomUUID()}@example.test`,
        emailVerified: null,
      })
      const auth = createAuth(
        {
          secret: SECRET,
          adapter,
          session: { strategy },
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
      const ann = new Visitor(auth.handle)
      await ann.post('/callback/password')
      const renewed = await rotated(auth, ann)
      expect(renewed && (await isIn(renewed))).toBe(true)
      await close()
    })
  })
}
