import { type AuthCalls, CALLS, type CallName } from './auth-calls.ts'

/** Runs one call with its arguments, the context of a framework among them. */
export type CallRunner = (name: CallName, args: readonly unknown[]) => Promise<unknown>

/**
 * Makes the functions of the list of calls, grouped as it is. Each of them calls `run` with its name.
 *
 * @typeParam Calls the interface of the calls, as the framework declares it
 */
export function deriveCalls<Calls = AuthCalls>(run: CallRunner): Calls {
  const calls: Record<string, unknown> = {}
  for (const name of Object.keys(CALLS) as CallName[]) {
    const [group = '', member] = name.split('.')
    const call = (...args: readonly unknown[]) => run(name, args)
    if (member === undefined) calls[group] = call
    else calls[group] = Object.assign(calls[group] ?? {}, { [member]: call })
  }
  return calls as Calls // by the same list
}
