import type { Adapter } from '../base/adapter.ts'
import type { ConfigSources } from './sources.ts'

/** The issuer that the id of a provider stands for in a configuration. */
export interface ConfiguredIssuer {
  readonly id: string
  /** Without an issuer, the token endpoint. */
  readonly issuer: string
  /** Whether accounts can be stored with it. */
  readonly isIssuer: boolean
}

/** The configurations of this process that have one adapter. */
export interface AdapterConfigs {
  /** The configurations whose providers were not resolved yet, in the order in which they were made. */
  readonly waiting: Set<ConfigSources>
  /** The issuers that the ids of providers stand for in all others. The first of several was there first. */
  readonly issuers: Map<string, readonly ConfiguredIssuer[]>
}

/** Enough for all tenants of a process, and a limit for applications that make a configuration per request. */
const MAX_WAITING = 1000

const configsKey = Symbol.for('siteauth.adapter-configs')

/** The configurations with an adapter, also if a bundler has put several copies of this module into the process. */
export function getAdapterConfigs(adapter: Adapter): AdapterConfigs {
  const shared = globalThis as { [configsKey]?: WeakMap<Adapter, AdapterConfigs> }
  shared[configsKey] ??= new WeakMap()
  const existing = shared[configsKey].get(adapter) ?? { waiting: new Set(), issuers: new Map() }
  // The check of the configuration reports a value that is not an adapter.
  if (Object(adapter) === adapter) shared[configsKey].set(adapter, existing)
  return existing
}

/** Announces a configuration, so that others with its adapter know of it before it is first used. */
export function announce(sources: ConfigSources): void {
  const { adapter } = sources.options
  if (!adapter) return
  const { waiting } = getAdapterConfigs(adapter)
  waiting.add(sources)
  const [oldest] = waiting.size > MAX_WAITING ? waiting : []
  if (oldest) waiting.delete(oldest)
}
