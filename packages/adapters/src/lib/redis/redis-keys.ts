import type { AccountKey, VerificationToken } from '@siteauth/core/adapters'
import { joinKey } from './records/encoding.ts'

/** What users have several of, each kind in one hash of the user. */
export type RecordKind = 'accounts' | 'authenticators'

/** Names a record: its field in the hash of its user. A key made of the field points to that user. */
export interface RecordId {
  readonly kind: RecordKind
  readonly field: string
}

/** The name of every key of an adapter. */
export interface RedisKeys {
  /** Something that belongs to a user. All of one user's keys are in one slot. */
  owned(userId: string, kind: string): string
  user(userId: string): string
  /** Points to the user with that address. */
  email(email: string): string
  /** The field of an account among those of its user. */
  accountField(account: AccountKey): string
  /** Points to the user who has the record with that field. */
  pointer(kind: RecordKind, field: string): string
  /** Exists for a day once nothing may be stored with that link any more. */
  void(userId: string, link: string): string
  lease(account: AccountKey & { readonly userId: string }): string
  session(sessionToken: string): string
  verificationToken(token: Pick<VerificationToken, 'identifier' | 'token'>): string
  /** Something of the revocation log, all of which is in one slot. */
  revocations(word: string): string
  limit(key: string): string
}

export function redisKeys(prefix: string): RedisKeys {
  const owned = (userId: string, kind: string) => `${prefix}{${encodeURIComponent(userId)}}:${kind}`
  const accountField = (account: AccountKey) => joinKey(account.provider, account.providerAccountId)
  return {
    owned,
    user: userId => owned(userId, 'user'),
    email: email => `${prefix}email:${joinKey(email)}`,
    accountField,
    pointer: (kind, field) =>
      kind === 'accounts' ? `${prefix}account:${field}` : `${prefix}credential:${joinKey(field)}`,
    void: (userId, link) => owned(userId, `void:${link}`),
    lease: account => owned(account.userId, `lease:${accountField(account)}`),
    session: sessionToken => `${prefix}session:${joinKey(sessionToken)}`,
    verificationToken: ({ identifier, token }) =>
      `${prefix}verification:${joinKey(identifier, token)}`,
    revocations: word => `${prefix}{revocations}:${word}`,
    limit: key => `${prefix}limit:${key}`,
  }
}
