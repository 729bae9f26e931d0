// Compiled by `npm run check`: an application that adds a field to its tokens. As docs/guide/types.md promises, nothing imports the
// module that it adds to.
import SiteAuth from '@siteauth/next'

declare module '@siteauth/next/jwt' {
  interface JWT {
    plan?: 'free' | 'paid'
  }
}

export const { handlers, auth } = SiteAuth({
  providers: [],
  callbacks: {
    jwt({ token }) {
      token.plan = 'paid'
      return token
    },
    session: ({ session, token }) => ({ ...session, plan: token.plan?.toUpperCase() }),
  },
})
