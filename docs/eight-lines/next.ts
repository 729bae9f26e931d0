import SiteAuth from '@siteauth/next'
import GitHub from '@siteauth/next/providers/github'

// #region create
// auth.ts
export const { handlers, auth, signIn, signOut, requireSession, accounts } = SiteAuth({
  providers: [GitHub],
  session: { expose: ['role'] },
})
// #endregion

// #region endpoints
// app/api/auth/[...siteauth]/route.ts
export const { GET, POST } = handlers
// #endregion

// #region read
export const readName = async () => (await auth())?.user?.name
// #endregion

// #region guard
export const readAccount = async () => (await requireSession()).user
// #endregion

// #region allow
export const requireAda = () =>
  requireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
// #endregion

// #region role
export const requireEditor = () => requireSession({ allow: ({ user }) => user?.role === 'editor' })
// #endregion

// #region sign-in-and-out
export async function login(): Promise<void> {
  'use server'
  await signIn('github')
}
export async function logout(): Promise<void> {
  'use server'
  await signOut({ redirectTo: '/' })
}
// #endregion

// #region access-token
export const readExpiry = async () => (await accounts.getAccessToken('github')).expiresAt
// #endregion
