import GitHub from '@siteauth/core/providers/github'
import { type RouteArgs, SiteAuth } from '@siteauth/react-router'

// #region create
// app/auth.server.ts
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// app/root.tsx
export const middleware = [auth.middleware]
// app/routes/auth.ts
export const { loader, action } = auth
// #endregion

// #region read
export const home = (args: RouteArgs) => auth.getSession(args)
// #endregion

// #region guard
export const account = async (args: RouteArgs) => (await auth.requireSession(args)).user
// #endregion

// #region allow
export const ada = (args: RouteArgs) =>
  auth.requireSession(args, { allow: ({ user }) => user?.email === 'ada@example.com' })
// #endregion

// #region role
export const edit = (args: RouteArgs) =>
  auth.requireSession(args, { allow: ({ user }) => user?.role === 'editor' })
// #endregion

// #region sign-in-and-out
export const login = (args: RouteArgs) => auth.signIn(args, 'github')
export const logout = (args: RouteArgs) => auth.signOut(args, { redirectTo: '/' })
// #endregion

// #region access-token
export const token = async (args: RouteArgs) => {
  const { expiresAt } = await auth.accounts.getAccessToken(args, 'github')
  return { expiresAt }
}
// #endregion
