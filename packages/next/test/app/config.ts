import { askOnce, CredentialsSignin, type NextAuthConfig } from '@siteauth/next'
import Credentials from '@siteauth/next/providers/credentials'

class Locked extends CredentialsSignin {
  code = 'locked'
}

interface Fields {
  name?: string | null
  role?: string
  rotated?: number
  nick?: string | undefined
}

/** People are whoever they say they are, if they know the word. */
export const config: NextAuthConfig<Fields, { expires: string; user: Fields }> = {
  providers: [
    Credentials({
      credentials: { name: {}, password: { type: 'password' } },
      authorize({ name, password }) {
        if (name === 'Lars') throw new Locked()
        return password === 'sesame' ? { id: String(name), name: String(name) } : null
      },
    }),
    {
      id: 'company',
      name: 'Company',
      type: 'oidc',
      issuer: process.env.FIXTURE_ISSUER ?? 'http://127.0.0.1:9/',
      clientId: 'app',
      clientSecret: 'a secret of the client, which is long',
      logout: 'provider',
    },
  ],
  pages: { signIn: '/login' },
  session: { updateAge: 3600 },
  callbacks: {
    jwt: askOnce('rotate', ({ token, trigger, session }) => {
      const rotated = token.name === 'Rota' ? Number(token['rotated'] ?? 0) + 1 : 0
      const isRenamed =
        trigger === 'update' && typeof session === 'object' && session && 'nick' in session
      const nick = isRenamed ? String(session.nick) : (token['nick'] as string | undefined)
      return { ...token, role: token.name === 'Ada' ? 'admin' : 'reader', rotated, nick }
    }),
    session: ({ session, token }) => ({
      expires: session.expires,
      user: { name: token.name, role: token.role, rotated: token.rotated, nick: token.nick },
    }),
    authorized({ request, auth }) {
      const { pathname } = request.nextUrl
      if (pathname.startsWith('/circle')) return Response.redirect(request.nextUrl.href)
      if (pathname.startsWith('/relative')) {
        return new Response(null, { status: 307, headers: { location: '/login?from=relative' } })
      }
      if (pathname.startsWith('/admin')) return auth?.user.role === 'admin'
      return !pathname.startsWith('/private') || auth !== null
    },
  },
}
