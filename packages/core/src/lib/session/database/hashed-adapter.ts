import type { Adapter } from '../../base/adapter.ts'
import type { HashMode } from './hash-session-tokens.ts'

/** What is asked of a store about sessions. */
const METHODS = [
  'createSession',
  'getSessionAndUser',
  'getAndRenewSession',
  'updateSession',
  'deleteSession',
  'createUserWithAccount',
] as const satisfies readonly (keyof Adapter)[]

/** A store that is told hashes of session tokens. What makes them is loaded by those who want it. */
export function hashedAdapter(store: Adapter, mode: HashMode): Adapter {
  let loading: Promise<Adapter> | undefined
  const load = () => {
    loading ??= import('./hash-session-tokens.ts').then(({ hashSessionTokens }) =>
      hashSessionTokens(store, mode),
    )
    return loading
  }
  const hashing = METHODS.filter(name => store[name]).map(name => [
    name,
    async (...args: unknown[]) => {
      const method = (await load())[name] as (...args: unknown[]) => unknown // as the store has it
      return method(...args)
    },
  ])
  return { ...store, ...Object.fromEntries(hashing) }
}
