import { AccessTokenError } from '@siteauth/next'
import { tokens } from './auth'

/** The access token of the visitor as tests read it: the token itself, or why there is none. */
export async function showToken(kind: string): Promise<{ name: string }> {
  const { accounts } = kind === 'kept' ? tokens.kept : tokens.stored
  try {
    return { name: (await accounts.getAccessToken('company')).accessToken }
  } catch (error) {
    if (!(error instanceof AccessTokenError)) throw error
    return { name: `error: ${error.code}` }
  }
}
