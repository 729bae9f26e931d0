import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/tanstack-start'
import { createMiddleware, createStart } from '@tanstack/react-start'

// #region create
// src/auth.ts
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// src/start.ts
export const startInstance = createStart(() => ({
  requestMiddleware: [createMiddleware().server(auth.middleware)],
}))
// #endregion

// #region read
export const home = async (request: Request) => Response.json(await auth.getSession(request))
// #endregion

// #region guard
export const account = async (request: Request) => {
  const { user } = await auth.requireSession(request)
  return Response.json(user)
}
// #endregion

// #region allow
export const ada = (request: Request) =>
  auth.requireSession(request, { allow: ({ user }) => user?.email === 'ada@example.com' })
// #endregion

// #region role
export const edit = (request: Request) =>
  auth.requireSession(request, { allow: ({ user }) => user?.role === 'editor' })
// #endregion

// #region sign-in-and-out
export const login = (request: Request) => auth.signIn(request, 'github')
export const logout = (request: Request) => auth.signOut(request, { redirectTo: '/' })
// #endregion

// #region access-token
export const token = async (request: Request) => {
  const { expiresAt } = await auth.accounts.getAccessToken(request, 'github')
  return Response.json({ expiresAt })
}
// #endregion
