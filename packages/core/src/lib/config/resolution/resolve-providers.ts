import { InvalidProvider } from '../../base/errors.ts'
import { completeProvider } from '../../providers/complete-provider.ts'
import type { EmailConfig } from '../../providers/email.ts'
import { mergeOptions } from '../../providers/merge-options.ts'
import type { Provider, ProviderObject } from '../../providers/provider.ts'
import type { Env } from '../env.ts'
import { type ProviderEnv, readProviderEnv } from '../provider-env.ts'

/** The providers that could be made, and why others could not. */
export interface ResolvedProviders {
  readonly providers: ReadonlyMap<string, ProviderObject>
  readonly problems: readonly InvalidProvider[]
  /** Ids that more than one provider has. */
  readonly repeatedIds: readonly string[]
}

/** Makes providers from functions and objects, the environment and the application's options. */
export function resolveProviders(configured: readonly Provider[], env: Env): ResolvedProviders {
  const providers = new Map<string, ProviderObject>()
  const problems: InvalidProvider[] = []
  const repeatedIds: string[] = []
  for (const each of configured) {
    try {
      const provider = resolveProvider(each, env)
      // The first of several with one id counts, as it always has.
      if (providers.has(provider.id)) repeatedIds.push(provider.id)
      else providers.set(provider.id, provider)
    } catch (error) {
      problems.push(
        error instanceof InvalidProvider
          ? error
          : new InvalidProvider('A provider could not be set up.', { cause: error }),
      )
    }
  }
  return { providers, problems, repeatedIds }
}

function resolveProvider(configured: Provider, env: Env): ProviderObject {
  const made = typeof configured === 'function' ? callBare(configured, env) : configured
  if (typeof made !== 'object' || made === null || typeof made.id !== 'string') {
    throw new InvalidProvider(
      'An entry in `providers` is neither a provider nor a function that returns one.',
    )
  }
  // The provider's own id names the variables; another id, given by the application, goes first.
  const { id = made.id } = (made.options ?? {}) as { id?: string }
  const inferred = { ...readProviderEnv(env, made.id), ...readProviderEnv(env, id) }
  // A provider may depend on the environment.
  const complete = completeProvider(made, { ...inferred })
  const { options, ...defaults } = complete as ProviderObject & { options?: object }
  const provider = mergeOptions(defaults, options) as ProviderObject // only members of its own kind
  const filled = fillIn(provider, inferred)
  if (filled.type !== 'password' || typeof filled.mail !== 'object') return Object.freeze(filled)
  // Its mail is sent by a provider of its own, which people cannot sign in with.
  const mail = resolveProvider(filled.mail, env) as EmailConfig // as its type states
  return Object.freeze({ ...filled, mail })
}

/** A bare function first tells its id, which names its variables, and then gets their values. */
function callBare(configured: (config: never) => ProviderObject, env: Env): ProviderObject {
  const call = configured as (config: ProviderEnv) => ProviderObject // each takes at least these
  return call(readProviderEnv(env, call({}).id))
}

function fillIn(provider: ProviderObject, inferred: ProviderEnv): ProviderObject {
  const { apiKey, ...oauth } = inferred
  switch (provider.type) {
    case 'oauth':
    case 'oidc':
      return { ...oauth, ...withoutAbsent(provider) }
    case 'email':
      return apiKey === undefined ? provider : { apiKey, ...withoutAbsent(provider) }
    default:
      return provider
  }
}

function withoutAbsent<T extends object>(value: T): T {
  const copy = { ...value }
  for (const key of Reflect.ownKeys(copy)) {
    if (Reflect.get(copy, key) == null) Reflect.deleteProperty(copy, key)
  }
  return copy
}
