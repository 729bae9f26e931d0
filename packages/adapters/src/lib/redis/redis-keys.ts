import type { AccountKey, VerificationToken } from '@siteauth/core/adapters'
import { joinKey } from './records/encoding.ts'

/** The name of every key of an adapter. */
export interface RedisKeys {
  /** Something that belongs to a user. All of one user's keys are in one slot. */
  owned(userId: string, kind: string): string
  user(userId: string): string
  /** Points to the user with that address. */
  email(email: string): string
  /** The field of an account among those of its user. */
  accountField(account: AccountKey): string
  /** Points to the user with the account that has that field. */
  accountPointer(field: string): string
  account(account: AccountKey): string
  lease(account: AccountKey & { readonly userId: string }): string
  session(sessionToken: string): string
  verificationToken(token: Pick<VerificationToken, 'identifier' | 'token'>): string
  /** Points to the user with that passkey. */
  credential(credentialID: string): string
  /** Something of the revocation log, all of which is in one slot. */
  revocations(word: string): string
  limit(key: string): string
}

export function redisKeys(prefix: string): RedisKeys {
  const owned = (userId: string, kind: string) => `${prefix}{${encodeURIComponent(userId)}}:${kind}`
  const accountField = (account: AccountKey) => joinKey(account.provider, account.providerAccountId)
  const accountPointer = (field: string) => `${prefix}account:${field}`
  return {
    owned,
    user: userId => owned(userId, 'user'),
    email: email => `${prefix}email:${joinKey(email)}`,
    accountField,
    accountPointer,
    account: account => accountPointer(accountField(account)),
    lease: account => owned(account.userId, `lease:${accountField(account)}`),
    session: sessionToken => `${prefix}session:${joinKey(sessionToken)}`,
    verificationToken: ({ identifier, token }) =>
      `${prefix}verification:${joinKey(identifier, token)}`,
    credential: credentialID => `${prefix}credential:${joinKey(credentialID)}`,
    revocations: word => `${prefix}{revocations}:${word}`,
    limit: key => `${prefix}limit:${key}`,
  }
}
