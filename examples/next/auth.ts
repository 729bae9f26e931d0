import SiteAuth from '@siteauth/next'
import Credentials from '@siteauth/next/providers/credentials'

// In an application of your own these are in a database, and passwords are hashes.
const people: Record<string, { name: string; role: 'admin' | 'reader' }> = {
  ada: { name: 'Ada Lovelace', role: 'admin' },
  ann: { name: 'Ann Example', role: 'reader' },
}

export const { handlers, auth, requireSession, signIn, signOut } = SiteAuth({
  providers: [
    Credentials({
      credentials: { login: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize({ login, password }) {
        const person = people[String(login)]
        return person && password === 'open sesame' ? { id: String(login), ...person } : null
      },
    }),
  ],
  pages: { signIn: '/login' },
  callbacks: {
    jwt: ({ token }) => ({ ...token, role: people[token.sub ?? '']?.role ?? 'reader' }),
    session: ({ session, token }) => ({
      expires: session.expires,
      user: { name: session.user.name, role: token.role },
    }),
    authorized({ request, auth }) {
      if (request.nextUrl.pathname.startsWith('/admin')) return auth?.user.role === 'admin'
      return true
    },
  },
})
