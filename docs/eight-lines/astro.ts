import { type AstroContext, SiteAuth } from '@siteauth/astro'
import GitHub from '@siteauth/core/providers/github'

// #region create
// src/auth.ts
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// src/middleware.ts
export const { onRequest } = auth
// src/pages/auth/[...siteauth].ts
export const ALL = auth.endpoint
// #endregion

// #region read
export const home = async (context: AstroContext) => Response.json(await auth.getSession(context))
// #endregion

// #region guard
export const account = async (context: AstroContext) => {
  const session = await auth.requireSession(context)
  return session instanceof Response ? session : Response.json(session.user)
}
// #endregion

// #region allow
export const ada = (context: AstroContext) =>
  auth.requireSession(context, { allow: ({ user }) => user?.email === 'ada@example.com' })
// #endregion

// #region role
export const edit = (context: AstroContext) =>
  auth.requireSession(context, { allow: ({ user }) => user?.role === 'editor' })
// #endregion

// #region sign-in-and-out
export const login = (context: AstroContext) => auth.signIn(context, 'github')
export const logout = (context: AstroContext) => auth.signOut(context, { redirectTo: '/' })
// #endregion

// #region access-token
export const token = async (context: AstroContext) => {
  const { expiresAt } = await auth.accounts.getAccessToken(context, 'github')
  return Response.json({ expiresAt })
}
// #endregion
