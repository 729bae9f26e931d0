import type { HostTrust } from '../http/origin.ts'
import type { OpenLimiter } from '../limits/open-limiter.ts'
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
  /**
   * Opens what counts attempts in memory, for configurations that are made anew for each request: attempts would
   * be forgotten with each of them.
   */
  openLimiter?: OpenLimiter
}

/** What a configuration is made from: what the application wrote, and what it left to others. */
export interface ConfigSources {
  readonly options: AuthConfig
  readonly platform: Platform
  readonly env: Env
  /** What the environment says. */
  readonly envOptions: EnvOptions
  /** The newest first. */
  readonly secrets: readonly string[]
  readonly trustHost: HostTrust
}

/** Takes a configuration as the application wrote it. Whether it is right is found out later. */
export function readSources(options: AuthConfig, platform: Platform = {}): ConfigSources {
  const env = platform.env ?? processEnv()
  const envOptions = readEnv(env)
  return {
    options,
    platform,
    env,
    envOptions,
    secrets: namedSecrets(options.secret) ?? envOptions.secrets,
    trustHost: options.trustHost ?? envOptions.trustHost,
  }
}

/** The secrets that an option names; undefined if it names none. */
export function namedSecrets(option: string | string[] | undefined): readonly string[] | undefined {
  return option && option.length !== 0 ? [option].flat() : undefined
}

/** Whether something is a list of texts, none of them empty. */
export function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => each && typeof each === 'string')
}
