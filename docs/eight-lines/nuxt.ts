import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/nuxt/server'
import { defineEventHandler } from 'h3'

// #region create
// server/utils/auth.ts
export const auth = SiteAuth({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
// nuxt.config.ts
export default { modules: ['@siteauth/nuxt'] }
// #endregion

// #region read
export const home = defineEventHandler(event => auth.getSession(event))
// #endregion

// #region guard
export const account = defineEventHandler(async event => (await auth.requireSession(event)).user)
// #endregion

// #region allow
export const ada = defineEventHandler(async event => {
  await auth.requireSession(event, { allow: ({ user }) => user?.email === 'ada@example.com' })
  return 'Hello, Ada'
})
// #endregion

// #region role
export const edit = defineEventHandler(async event => {
  await auth.requireSession(event, { allow: ({ user }) => user?.role === 'editor' })
  return 'Hello, editor'
})
// #endregion

// #region sign-in-and-out
export const login = defineEventHandler(event => auth.signIn(event, 'github'))
export const logout = defineEventHandler(event => auth.signOut(event, { redirectTo: '/' }))
// #endregion

// #region access-token
export const token = defineEventHandler(async event => {
  const { expiresAt } = await auth.accounts.getAccessToken(event, 'github')
  return { expiresAt }
})
// #endregion
