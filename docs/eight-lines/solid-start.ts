import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/solid-start'
import { createMiddleware } from '@solidjs/start/middleware'

// #region create
// src/auth.ts
const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// src/middleware.ts
export default createMiddleware(auth.middleware)
// #endregion

// #region read
export async function home() {
  'use server'
  return auth.getSession()
}
// #endregion

// #region guard
export async function account() {
  'use server'
  return (await auth.requireSession()).user
}
// #endregion

// #region allow
export async function ada() {
  'use server'
  await auth.requireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
}
// #endregion

// #region role
export async function edit() {
  'use server'
  await auth.requireSession({ allow: ({ user }) => user?.role === 'editor' })
}
// #endregion

// #region sign-in-and-out
export async function login() {
  'use server'
  return auth.signIn('github')
}
export async function logout() {
  'use server'
  return auth.signOut({ redirectTo: '/' })
}
// #endregion

// #region access-token
export async function token() {
  'use server'
  const { expiresAt } = await auth.accounts.getAccessToken('github')
  return { expiresAt }
}
// #endregion
