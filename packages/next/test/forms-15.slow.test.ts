import { passkeyPageSuite } from '../../core/test/webauthn/page-suite.ts'
import { formsSuite } from './forms-suite.ts'

formsSuite(15, forms => {
  // With Next 16, the demo signs up and in with them.
  passkeyPageSuite('Next', 'what a server has a part in', async () => {
    const origin = `http://localhost:${forms().running.port}`
    return {
      origin,
      home: '/passkeys',
      basePath: '/passkey-auth',
      adapter: {
        // Whom the application knows by the address.
        getUserByEmail: email => ({ id: email, email, emailVerified: null }),
        async deleteUser(id) {
          await fetch(`${origin}/passkeys/remove`, { method: 'POST', body: id })
        },
      },
      close: async () => {},
    }
  })
})
