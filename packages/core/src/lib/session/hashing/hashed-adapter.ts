import type { Adapter } from '../../base/adapter.ts'
import type { HashMode } from '../database/row-name.ts'
import type { WithSessionToken } from './session-token-methods.ts'

/** The methods that receive or return the token of a session. */
const HASHING: Readonly<Record<WithSessionToken, true>> = {
  createSession: true,
  getSessionAndUser: true,
  getAndRenewSession: true,
  updateSession: true,
  deleteSession: true,
  createUserWithAccount: true,
  linkAccountIf: true,
}

/** An adapter that receives hashes of session tokens. The code that makes them is loaded at its first use. */
export function hashedAdapter(store: Adapter, mode: HashMode): Adapter {
  let loading: Promise<Adapter> | undefined
  const load = () => {
    loading ??= import('./hash-session-tokens.ts').then(({ hashSessionTokens }) =>
      hashSessionTokens(store, mode),
    )
    return loading
  }
  const names = Object.keys(HASHING) as WithSessionToken[]
  const hashing = names
    .filter(name => store[name])
    .map(name => [
      name,
      async (...args: unknown[]) => {
        const method = (await load())[name] as (...args: unknown[]) => unknown // as the store has it
        return method(...args)
      },
    ])
  return { ...store, ...Object.fromEntries(hashing) }
}
