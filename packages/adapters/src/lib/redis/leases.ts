import type { AdapterAccount } from '@siteauth/core/adapters'
import type { LeaseMethods } from '../adapter-methods.ts'
import { createQueues } from '../queues.ts'
import { findAccount } from './accounts.ts'
import type { RedisTables } from './open-tables.ts'
import { encodeValue } from './records/encoding.ts'
import { encodeLinked } from './records/links.ts'
import { recordFrom } from './records/owned-records.ts'
import { CHANGED, SCRIPTS } from './scripts.ts'

export function redisLeases(tables: RedisTables): LeaseMethods {
  const { keys, runScript } = tables
  const oneByOne = createQueues()
  return {
    updateAccount: (changes, held) =>
      // Within a process one after another, since only one of many concurrent updates would succeed.
      oneByOne(keys.accountField(changes), () => updateAccount(tables, changes, held)),
    async leaseAccount(account, { holder, until, now }) {
      const found = await findAccount(tables, account)
      if (!found) return null
      const lock = [keys.owned(found.userId, 'accounts'), keys.lease(found.record)] as const
      const duration = Math.max(1, until.getTime() - now.getTime())
      const args = [keys.accountField(account), found.link, holder, duration]
      const text = await runScript(SCRIPTS.lease, lock, args)
      return typeof text === 'string' ? recordFrom<AdapterAccount>(text) : null
    },
  }
}

async function updateAccount(
  tables: RedisTables,
  ...[changes, held]: Parameters<LeaseMethods['updateAccount']>
): Promise<AdapterAccount | null> {
  const { keys, users, runScript } = tables
  // Again if another server has changed it meanwhile, whose changes must not be lost.
  for (let attempt = 0; attempt < 20; attempt++) {
    const found = await findAccount(tables, changes)
    if (!found) return null
    const account = found.record
    const changed = withoutNulls({ ...account, ...changes, userId: account.userId })
    const lock = [keys.owned(account.userId, 'accounts'), keys.lease(account)] as const
    const text = encodeLinked(found.link, encodeValue(changed))
    const args = [keys.accountField(changes), found.text, text, held?.holder ?? '']
    const [outcome, user] = await Promise.all([
      runScript(SCRIPTS.replaceLeased, lock, args),
      held ? null : users.read(account.userId),
    ])
    // If the sign-up was interrupted before the address was claimed, this is the next sign-in.
    if (user?.email) await users.claimEmail(user)
    if (outcome !== CHANGED) return outcome ? changed : null
  }
  throw new Error('the account is being changed by too many at once')
}

function withoutNulls(account: AdapterAccount): AdapterAccount {
  const entries = Object.entries(account).filter(([, member]) => member !== null)
  // Sound: required members are never null.
  return Object.fromEntries(entries) as unknown as AdapterAccount
}
