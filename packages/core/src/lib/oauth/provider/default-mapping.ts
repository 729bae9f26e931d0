import type { Profile, User } from '../../base/user.ts'
import type { AccountCallback } from '../../providers/oauth.ts'
import { storableTokens } from './sent-members.ts'

/** The claims of OIDC Core §5.1 as a user. Whether there is an id is checked for all mappers alike. */
export function defaultProfile(claims: Profile): User {
  const { sub, id, name, nickname, preferred_username, email, picture } = claims
  return Object.fromEntries(
    Object.entries({
      id: sub ?? id,
      name: name ?? nickname ?? preferred_username,
      email,
      image: picture,
    }).filter(([, value]) => value !== undefined),
  )
}

const STORED = [
  'access_token',
  'id_token',
  'refresh_token',
  'expires_at',
  'scope',
  'token_type',
  'session_state',
] as const

/** The members of a token response that an account stores unless the application chooses others. */
export const defaultAccount: AccountCallback = tokens =>
  Object.fromEntries(
    STORED.filter(name => tokens[name] !== undefined).map(name => [name, tokens[name]]),
  )

/** An application that stores everything stores what the provider sent, but not under our names. */
export function storableAccount(account: AccountCallback): AccountCallback {
  return tokens => {
    const chosen = account(tokens)
    return chosen && storableTokens(chosen)
  }
}
