import { type AuthError, InvalidConfiguration } from '../base/errors.ts'
import type { UnclearVariable } from './env.ts'
import type { FaultyConfig, ResolvedConfig } from './resolved.ts'

/** The configuration. Throws where it has faults, of which the log is told all. */
export function demandConfig(config: ResolvedConfig | FaultyConfig): ResolvedConfig {
  if (!config.faults) return config
  logFaults(config)
  throw config.faults[0]
}

const logged = new WeakSet<AuthError>()

/** Tells the log what is wrong with a configuration: once, however many requests find out. */
export function logFaults({ logger, faults }: FaultyConfig): void {
  for (const fault of faults.filter(each => !logged.has(each))) {
    logged.add(fault)
    logger.error(fault)
  }
}

const meanings = {
  AUTH_URL: 'a URL such as https://example.com',
  AUTH_TRUST_HOST: 'true or false',
} as const

/** The fault of a variable that cannot be understood. */
export function unclearVariable({ name, value }: UnclearVariable): InvalidConfiguration {
  const message = `${name} must be ${meanings[name]}, not ${JSON.stringify(value)}.`
  return new InvalidConfiguration(message)
}
