import type { AuthConfig } from '@siteauth/core'
import { resolveConfig } from '@siteauth/core/internal/config'
import type { ProviderObject } from '@siteauth/core/providers'
import { ConfiguredPreset, type FoundConfig, Preset } from '../code/find-configs.ts'
import { standInAdapter, withStandIns } from './stand-ins.ts'

/** A provider of a configuration, made as the library would make it. */
export interface MadeProvider {
  readonly config: FoundConfig
  /** The preset it was made with, such as `github`. */
  readonly preset: string | null
  /** What the application says about it. */
  readonly options: Readonly<Record<string, unknown>>
  /** Whether there is no such preset. */
  readonly isUnknown: boolean
  /** What it is given to the library as; null if it cannot be made. */
  readonly given: GivenProvider | null
  /** With what the environment says; null if the library would refuse it. */
  readonly resolved: ProviderObject | null
}

type GivenProvider = AuthConfig['providers'][number]

/** The providers of a configuration, as far as its code tells. */
export async function makeProviders(
  config: FoundConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly MadeProvider[]> {
  const { providers } = config.options
  if (!Array.isArray(providers)) return []
  const made = await Promise.all(
    (providers as readonly unknown[]).map(each => makeProvider(config, each, env)),
  )
  return made.flatMap(each => each ?? [])
}

async function makeProvider(
  config: FoundConfig,
  entry: unknown,
  env: Readonly<Record<string, string | undefined>>,
): Promise<MadeProvider | null> {
  if (entry instanceof Preset) {
    const given = await loadPreset(entry.module)
    const isUnknown = given === null
    return {
      config,
      preset: entry.module,
      options: {},
      isUnknown,
      given,
      resolved: resolve(given, env),
    }
  }
  if (entry instanceof ConfiguredPreset) {
    const options = Object(withStandIns(entry.options)) as Record<string, unknown> // of any object
    const preset = await loadPreset(entry.module)
    const given = preset && callPreset(preset, options)
    const isUnknown = preset === null
    return {
      config,
      preset: entry.module,
      options,
      isUnknown,
      given,
      resolved: resolve(given, env),
    }
  }
  if (typeof entry !== 'object' || entry === null) return null
  const given = withStandIns(entry) as GivenProvider // the library says what is wrong with it
  const options = given as unknown as Record<string, unknown> // an object, as seen above
  return { config, preset: null, options, isUnknown: false, given, resolved: resolve(given, env) }
}

/** A preset of ours by the name of its module; null if there is none. */
async function loadPreset(module: string): Promise<GivenProvider | null> {
  try {
    const loaded: { default: GivenProvider } = await import(`@siteauth/core/providers/${module}`)
    return loaded.default
  } catch {
    return null
  }
}

function callPreset(
  preset: GivenProvider,
  options: Readonly<Record<string, unknown>>,
): GivenProvider | null {
  if (typeof preset !== 'function') return preset
  try {
    return (preset as (options: unknown) => GivenProvider)(options) // takes what it was meant for
  } catch {
    return null
  }
}

function resolve(
  given: GivenProvider | null,
  env: Readonly<Record<string, string | undefined>>,
): ProviderObject | null {
  if (!given) return null
  const config = resolveConfig(
    {
      providers: [given],
      secret: 'for this check alone, and nothing else',
      trustHost: true,
      adapter: standInAdapter(),
      experimental: { enableWebAuthn: true },
      logger: { error() {}, warn() {}, debug() {} },
    },
    { env },
  )
  return config.problems ? null : ([...config.providers.values()][0] ?? null)
}
