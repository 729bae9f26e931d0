import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/sveltekit'
import type { RequestEvent } from '@sveltejs/kit'

// #region create
// src/auth.ts
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// src/hooks.server.ts
export const { handle } = auth
// #endregion

// #region read
export const home = (event: RequestEvent) => auth.getSession(event)
// #endregion

// #region guard
export const account = async (event: RequestEvent) => (await auth.requireSession(event)).user
// #endregion

// #region allow
export const ada = (event: RequestEvent) =>
  auth.requireSession(event, { allow: ({ user }) => user?.email === 'ada@example.com' })
// #endregion

// #region role
export const edit = (event: RequestEvent) =>
  auth.requireSession(event, { allow: ({ user }) => user?.role === 'editor' })
// #endregion

// #region sign-in-and-out
export const actions = {
  login: (event: RequestEvent) => auth.signIn(event, 'github'),
  logout: (event: RequestEvent) => auth.signOut(event, { redirectTo: '/' }),
}
// #endregion

// #region access-token
export const token = async (event: RequestEvent) => {
  const { expiresAt } = await auth.accounts.getAccessToken(event, 'github')
  return { expiresAt }
}
// #endregion
