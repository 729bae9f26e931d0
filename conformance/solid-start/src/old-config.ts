import Credentials from '@siteauth/core/providers/credentials'

/** As applications have it that were written for @auth/solid-start. */
export const oldConfig = {
  secret: 'a secret for applications of old, 32 characters',
  trustHost: true,
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: String(name) }),
    }),
  ],
}
