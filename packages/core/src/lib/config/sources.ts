import type { HostTrust } from '../http/origin.ts'
import type { OpenLimiter } from '../limits/open-limiter.ts'
import { type Env, type EnvOptions, processEnv, readEnv } from './env.ts'
import type { AuthConfig } from './options.ts'

/** Facts that a framework passes on, so that an application need not configure them. */
export interface Platform {
  /** Defaults to the environment of the process. */
  env?: Env
  /** The default path of the endpoints. Defaults to `/auth`. */
  defaultBasePath?: string
  /** The prefix that the framework removes from the path before it passes a request on. */
  publicPrefix?: string
  /**
   * Opens the counter of attempts in memory, for configurations that are created for each request: attempts would be
   * forgotten with each of them.
   */
  openLimiter?: OpenLimiter
  /** Whether the framework itself adds the headers of proxies to each request, as Next does. */
  addsForwardedHeaders?: boolean
}

/** The sources of a configuration: the application's own options, and those from elsewhere. */
export interface ConfigSources {
  readonly options: AuthConfig
  readonly platform: Platform
  readonly env: Env
  /** The options that the environment sets. */
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
    trustHost: options.trustHost ?? trustOf(envOptions, platform),
  }
}

function trustOf({ trustHost }: EnvOptions, { addsForwardedHeaders }: Platform): HostTrust {
  return trustHost === 'loopback' && addsForwardedHeaders
    ? 'loopback through own server'
    : trustHost
}

/** The secrets that an option names; undefined if it names none. */
export function namedSecrets(option: string | string[] | undefined): readonly string[] | undefined {
  return option && option.length !== 0 ? [option].flat() : undefined
}

/** Whether something is a list of texts, none of them empty. */
export function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(each => each && typeof each === 'string')
}
