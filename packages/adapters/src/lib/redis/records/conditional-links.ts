import type { LinkCondition, RevocationLog } from '@siteauth/core/adapters'
import type { LinkMethods } from '../../adapter-methods.ts'
import { answerable, storedOutcome } from '../../link-condition.ts'
import { accountId } from '../accounts.ts'
import { passkeyId } from '../authenticators.ts'
import type { RedisTables } from '../open-tables.ts'
import { encodeValue } from './encoding.ts'
import type { WriteCondition } from './write-records.ts'

export function redisLinks(tables: RedisTables, log: RevocationLog): LinkMethods {
  const { keys, records } = tables
  /** Whether the log is on another server than some users, so that no script can read it with them. */
  let isCluster = false

  return {
    async linkAccountIf({ account, authenticator, condition }) {
      const { userId } = account
      const given = [
        { ...accountId(tables, account), record: account },
        ...(authenticator
          ? [{ ...passkeyId(authenticator.credentialID), record: authenticator }]
          : []),
      ]
      const unrevoked = isCluster ? null : answerable(log, condition)
      const checked = toCondition(condition)
      try {
        const outcome = await records.writeAll(userId, given, {
          ...checked,
          ...(unrevoked && { unrevoked: unrevoked.keys, log: keys.revocations('ends') }),
        })
        if (outcome === 'written') return storedOutcome(condition, unrevoked)
        return outcome === 'taken' ? 'taken' : 'changed'
      } catch (error) {
        if (!unrevoked || !isOtherSlot(error)) throw error
        isCluster = true
      }
      const outcome = await records.writeAll(userId, given, checked)
      if (outcome === 'written') return storedOutcome(condition, null)
      return outcome === 'taken' ? 'taken' : 'changed'
    },
  }
}

function toCondition({ user, sessionToken }: LinkCondition): WriteCondition {
  return {
    email: encodeValue(user.email ?? null),
    isVerified: user.emailVerified != null,
    session: sessionToken,
  }
}

function isOtherSlot(error: unknown): boolean {
  return error instanceof Error && /CROSSSLOT|non local key/.test(error.message)
}
