import type { HostTrust } from '../http/origin.ts'
import { type Env, type EnvOptions, processEnv, readEnv } from './env.ts'
import type { AuthConfig } from './options.ts'

/** What a framework knows that an application need not say. */
export interface Platform {
  /** Defaults to the environment of the process. */
  env?: Env
  /** Where the endpoints are if nobody says. Defaults to `/auth`. */
  defaultBasePath?: string
  /** What the framework takes off the path before it hands a request on. */
  publicPrefix?: string
}

/** What a configuration is made from: what the application wrote, and what it left to others. */
export interface ConfigSources extends Required<Platform> {
  readonly options: AuthConfig
  /** What the environment says. */
  readonly said: EnvOptions
  /** The newest first. */
  readonly secrets: readonly string[]
  readonly trustHost: HostTrust
}

/** Takes a configuration as the application wrote it. Whether it is right is found out later. */
export function readSources(
  options: AuthConfig,
  { env = processEnv(), defaultBasePath = '/auth', publicPrefix = '' }: Platform = {},
): ConfigSources {
  const said = readEnv(env)
  return {
    options,
    env,
    defaultBasePath,
    publicPrefix,
    said,
    secrets: namedSecrets(options.secret) ?? said.secrets,
    trustHost: options.trustHost ?? said.trustHost,
  }
}

/** The secrets that an option names; undefined where it names none. */
export function namedSecrets(option: string | string[] | undefined): readonly string[] | undefined {
  if (!option || option.length === 0) return undefined
  // A variable that is not set arrives as undefined, whatever the type says; it is at fault like ''.
  return [option].flat().map(each => each ?? '')
}

/** A configuration that stays as it is when the application changes its own. */
export function copyOptions(options: AuthConfig): AuthConfig {
  const members = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? [...value] : isPlain(value) && name !== 'adapter' ? { ...value } : value,
  ])
  return Object.fromEntries(members) as AuthConfig // member by member the same
}

function isPlain(value: unknown): value is object {
  return Object(value) === value && Object.getPrototypeOf(value) === Object.prototype
}
