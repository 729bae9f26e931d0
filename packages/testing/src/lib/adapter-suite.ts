import type { Adapter } from '@siteauth/core/adapters'
import { afterAll, beforeAll, describe, it, type TestContext } from 'vitest'
import { ACCOUNT_CASES } from './account-cases.ts'
import type { AdapterCase, Method, Need, RequiredAdapter } from './adapter-case.ts'
import { AUTHENTICATOR_CASES } from './authenticator-cases.ts'
import { CLAIM_CASES } from './claim-cases.ts'
import { LEASE_CASES } from './lease-cases.ts'
import { LIMIT_CASES } from './limit-cases.ts'
import { LINK_CASES } from './link-cases.ts'
import { LISTED_SESSION_CASES } from './listed-session-cases.ts'
import { PASSWORD_CASES } from './password-cases.ts'
import { REVOCATION_CASES } from './revocation-cases.ts'
import { SESSION_CASES } from './session-cases.ts'
import { USER_CASES } from './user-cases.ts'
import { VERIFICATION_CASES } from './verification-cases.ts'

/** The options of `adapterSuite`. */
export interface AdapterSuiteOptions {
  /** What the report calls the adapter. */
  name: string
  /** Creates the adapter, once. Its store may already hold rows: the suite makes its own. */
  create: () => Adapter | Promise<Adapter>
  /** Closes what `create` opened. */
  close?: () => unknown
  /**
   * The names of cases the adapter is known to fail. They are reported as such; one that passes
   * after all is an error, and so is a name no case has.
   */
  knownFailures?: readonly string[]
}

const GROUPS = {
  users: USER_CASES,
  accounts: ACCOUNT_CASES,
  'conditional links': LINK_CASES,
  claims: CLAIM_CASES,
  leases: LEASE_CASES,
  sessions: SESSION_CASES,
  'verification tokens': VERIFICATION_CASES,
  authenticators: AUTHENTICATOR_CASES,
  revocations: REVOCATION_CASES,
  'listed sessions': LISTED_SESSION_CASES,
  limits: LIMIT_CASES,
  passwords: PASSWORD_CASES,
} as const satisfies Record<string, readonly AdapterCase[]>

// Without these neither strategy can sign people in; a store for JWT sessions alone may do with
// fewer, and then lists the case below as known.
const NEEDED: readonly Method[] = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'linkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
]
const HAS_NEEDED = 'has the methods that every sign-in needs'

/**
 * Describes and runs every case an adapter has to pass. Optional methods are tested if the adapter
 * has them. Call it in a Vitest test file.
 *
 * ```ts
 * import { MemoryAdapter } from '@siteauth/adapters/memory'
 * import { adapterSuite } from '@siteauth/testing/adapter'
 *
 * adapterSuite({ name: 'memory', create: () => MemoryAdapter() })
 * ```
 */
export function adapterSuite(options: AdapterSuiteOptions): void {
  const { name, create, close, knownFailures = [] } = options
  const names = [HAS_NEEDED, ...Object.values(GROUPS).flatMap(group => group.map(it => it.name))]
  const unknown = knownFailures.filter(failure => !names.includes(failure))
  if (unknown.length > 0) {
    throw new TypeError(
      `knownFailures contains names that are not in the suite: ${unknown.join('; ')}`,
    )
  }

  describe(`adapter: ${name}`, () => {
    let adapter: Adapter
    beforeAll(async () => {
      adapter = await create()
    }, 60_000)
    afterAll(async () => {
      await close?.()
    })

    const define = (title: string, run: (context: TestContext) => Promise<void>) => {
      if (knownFailures.includes(title)) it.fails(`${title} (known failure)`, run, 30_000)
      else it(title, run, 30_000)
    }

    define(HAS_NEEDED, async () => {
      const missing = NEEDED.filter(method => !adapter[method])
      if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`)
    })
    for (const [group, cases] of Object.entries(GROUPS)) {
      describe(group, () => {
        for (const each of cases) {
          define(each.name, async context => {
            const missing = each.needs.filter(need => !has(adapter, need))
            if (missing.length > 0) context.skip(`the adapter has no ${missing.join(', ')}`)
            // Sound as far as a case calls only what it needs, and that was checked just now.
            await each.run(adapter as RequiredAdapter)
          })
        }
      })
    }
  })
}

function has(adapter: Adapter, need: Need): boolean {
  if (need === 'revocations.watch') return adapter.revocations?.watch !== undefined
  if (need === 'issuers') return adapter.extends?.includes(need) ?? false
  return Boolean(adapter[need])
}
