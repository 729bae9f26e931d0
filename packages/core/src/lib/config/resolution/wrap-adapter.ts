import type { Adapter } from '../../base/adapter.ts'
import { AdapterError } from '../../base/errors.ts'
import type { LoggerInstance } from '../../base/logger.ts'
import { withTimeout } from '../../base/with-timeout.ts'

type AnyFunction = (...args: never) => unknown
type AnyMethod = (this: object, ...args: unknown[]) => unknown

/** The names of the members that are methods. */
type MethodOf<Store> = {
  [Name in keyof Store]-?: NonNullable<Store[Name]> extends AnyFunction ? Name : never
}[keyof Store]

/** A method of the adapter itself. */
type AdapterMethod = MethodOf<Adapter>

/** A member of an adapter that has methods of its own, or none. */
type AdapterPart = Exclude<keyof Adapter, AdapterMethod>

/** Every method of an adapter. The type asks for a new one: without its name here it would be dropped. */
export const ADAPTER_METHODS: Readonly<Record<AdapterMethod, true>> = {
  createUser: true,
  getUser: true,
  getUserByEmail: true,
  getUserByAccount: true,
  updateUser: true,
  deleteUser: true,
  linkAccount: true,
  unlinkAccount: true,
  createSession: true,
  getSessionAndUser: true,
  updateSession: true,
  deleteSession: true,
  createVerificationToken: true,
  useVerificationToken: true,
  getAccount: true,
  getAuthenticator: true,
  createAuthenticator: true,
  listAuthenticatorsByUserId: true,
  updateAuthenticatorCounter: true,
  getAndRenewSession: true,
  createUserWithAccount: true,
  linkAccountIf: true,
  claimUser: true,
  updateAccount: true,
  leaseAccount: true,
  listAccounts: true,
  listSessions: true,
  deleteSessions: true,
  deleteOtherSessions: true,
  deleteAuthenticator: true,
}

/**
 * The methods of every part that is wrapped. `null` is for the parts that are used straight from the
 * application's adapter: what uses them decides what their failures mean.
 */
export const ADAPTER_PARTS: {
  readonly [Part in AdapterPart]: Record<MethodOf<NonNullable<Adapter[Part]>>, true> | null
} = {
  passwords: { get: true, set: true, remove: true },
  trackedSessions: null,
  revocations: null,
  limiter: null,
  extends: null,
}

/**
 * How long a method may take, in milliseconds. Longer than each statement of our adapters, whose own error names what to
 * check; others may wait forever.
 */
const TIMEOUT = 15_000

/**
 * Wraps the methods of an adapter, so that its failures can be distinguished from all others. They keep their object,
 * so that an instance of a class works.
 */
export function wrapAdapter(adapter: Adapter, logger: LoggerInstance): Adapter {
  const names = namesOf(ADAPTER_METHODS).filter(name => typeof adapter[name] === 'function')
  const wrapped = wrapMethods(adapter, names, '', logger)
  for (const part of namesOf(ADAPTER_PARTS)) {
    const methods = ADAPTER_PARTS[part]
    const store = adapter[part]
    if (!methods || !store) continue
    wrapped[part] = wrapMethods(store, namesOf(methods), `${part}.`, logger)
  }
  return wrapped as Adapter // the methods that were there, each with its own signature
}

function wrapMethods(
  store: object,
  names: readonly string[],
  prefix: '' | `${AdapterPart}.`,
  logger: LoggerInstance,
): Record<string, unknown> {
  // Sound for those of the adapter, which were looked at. A part may lack one: then the call fails.
  const methods = store as Record<string, AnyMethod>
  return Object.fromEntries(
    names.map(name => [
      name,
      async (...args: unknown[]) => {
        logger.debug(`adapter_${prefix}${name}`)
        try {
          return await withTimeout(TIMEOUT, () => (methods[name] as AnyMethod).apply(store, args))
        } catch (error) {
          throw new AdapterError(`The adapter's ${prefix}${name} failed.`, { cause: error })
        }
      },
    ]),
  )
}

/** The names in a table. Sound for our own tables, which have no other members than their types. */
function namesOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]
}
