import type { EventCallbacks } from '../base/callbacks.ts'
import { AdapterError, EventError } from '../base/errors.ts'
import type { LoggerInstance } from '../base/logger.ts'
import type { Adapter, Awaitable, PasswordStore } from '../base/model.ts'

/** The methods that an adapter can have. */
const ADAPTER_METHODS = [
  'createUser',
  'getUser',
  'getUserByEmail',
  'getUserByAccount',
  'updateUser',
  'deleteUser',
  'linkAccount',
  'unlinkAccount',
  'createSession',
  'getSessionAndUser',
  'updateSession',
  'deleteSession',
  'createVerificationToken',
  'useVerificationToken',
  'getAccount',
  'getAuthenticator',
  'createAuthenticator',
  'listAuthenticatorsByUserId',
  'updateAuthenticatorCounter',
  'getAndRenewSession',
  'createUserWithAccount',
  'updateAccount',
  'leaseAccount',
  'listAccounts',
  'listSessions',
  'deleteSessions',
  'deleteOtherSessions',
  'deleteAuthenticator',
] as const satisfies readonly (keyof Adapter)[]

/**
 * An adapter whose failures are told from all others. Methods keep their object, so that an
 * instance of a class will do.
 */
export function guardAdapter(adapter: Adapter, logger: LoggerInstance): Adapter {
  const guarded: Record<string, unknown> = {}
  for (const name of ADAPTER_METHODS) {
    if (typeof adapter[name] !== 'function') continue
    guarded[name] = async (...args: unknown[]) => {
      logger.debug(`adapter_${name}`)
      try {
        const method = adapter[name] as (...args: unknown[]) => unknown // checked above
        return await method.apply(adapter, args)
      } catch (error) {
        throw new AdapterError(`The adapter's ${name} failed.`, { cause: error })
      }
    }
  }
  if (adapter.passwords) guarded['passwords'] = guardPasswords(adapter.passwords)
  return guarded as Adapter // the methods that were there, each with its own signature
}

function guardPasswords(store: PasswordStore): PasswordStore {
  async function guard<Result>(name: string, ask: () => Awaitable<Result>): Promise<Result> {
    try {
      return await ask()
    } catch (error) {
      throw new AdapterError(`The adapter's passwords.${name} failed.`, { cause: error })
    }
  }
  return {
    get: userId => guard('get', () => store.get(userId)),
    set: (password, replaces) => guard('set', () => store.set(password, replaces)),
    remove: userId => guard('remove', () => store.remove(userId)),
  }
}

/** Listeners that cannot disturb the flow that they listen to. */
export function guardEvents(
  events: Partial<EventCallbacks> | undefined,
  logger: LoggerInstance,
): Partial<EventCallbacks> {
  const names = [
    'signIn',
    'signOut',
    'createUser',
    'updateUser',
    'linkAccount',
    'emailClaimed',
    'accountError',
    'providerSignOut',
    'tooManyAttempts',
    'session',
  ] as const satisfies readonly (keyof EventCallbacks)[]
  const guarded: Record<string, unknown> = {}
  for (const name of names) {
    if (typeof events?.[name] !== 'function') continue
    guarded[name] = async (message: never) => {
      try {
        await events[name]?.(message)
      } catch (error) {
        const failure = new EventError(`The listener for the event ${name} failed.`, {
          cause: error,
        })
        // It may have to take a password away before the owner moves in: then nobody does.
        if (name === 'emailClaimed') throw failure
        logger.error(failure)
      }
    }
  }
  return guarded as Partial<EventCallbacks> // the listeners that were there
}
