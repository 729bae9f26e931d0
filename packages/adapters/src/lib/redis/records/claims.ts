import type { AdapterAccount, AdapterAuthenticator } from '@siteauth/core/adapters'
import type { ClaimMethods } from '../../adapter-methods.ts'
import { inChunks } from '../../in-chunks.ts'
import { deleteEnded } from '../delete-ended.ts'
import type { RedisTables } from '../open-tables.ts'
import { textsFrom } from '../redis-client.ts'
import type { RecordKind } from '../redis-keys.ts'
import { SCRIPTS } from '../scripts.ts'
import { encodeValue, toPairs } from './encoding.ts'
import { type OwnedText, recordFrom, targetOf } from './owned-records.ts'
import { userFrom } from './user-hashes.ts'

export function redisClaims(tables: RedisTables): ClaimMethods {
  const { keys, pointers, runScript } = tables

  /** Removes the keys that lead to records which are gone. Those mean nothing any more. */
  const release = (kind: RecordKind, userId: string, removed: readonly OwnedText[]) =>
    inChunks(removed, ([field, text]) =>
      pointers.release(keys.pointer(kind, field), targetOf(text, userId)),
    )

  return {
    async claimUser({ user: { id, email }, emailVerified, account }) {
      const touched = [
        keys.user(id),
        keys.owned(id, 'accounts'),
        keys.owned(id, 'authenticators'),
        keys.owned(id, 'password'),
        keys.owned(id, 'sessions'),
      ] as const
      const result = await runScript(SCRIPTS.claimUser, touched, [
        encodeValue(email ?? null),
        emailVerified ? encodeValue(emailVerified) : '',
        ...(account ? [keys.accountField(account)] : []),
      ])
      const [proved, linked, credentials, listed, password] = Array.isArray(result) ? result : []
      if (linked === undefined) return null
      const accounts = textsOf(linked)
      const passkeys = textsOf(credentials)
      const tokens = textsFrom(listed)
      await Promise.all([
        release('accounts', id, accounts),
        release('authenticators', id, passkeys),
        deleteEnded(tables, tokens),
      ])
      return {
        user: userFrom(proved),
        accounts: accounts.map(([, text]) => {
          const { provider, providerAccountId, type } = recordFrom<AdapterAccount>(text)
          return { provider, providerAccountId, type }
        }),
        passkeys: passkeys.map(([, text]) => {
          return { credentialID: recordFrom<AdapterAuthenticator>(text).credentialID }
        }),
        hadPassword: !account && Number(password) > 0,
        sessions: tokens.length,
      }
    },
  }
}

function textsOf(hash: unknown): OwnedText[] {
  return [...toPairs(hash)].map(([field, text]) => [String(field), String(text)])
}
