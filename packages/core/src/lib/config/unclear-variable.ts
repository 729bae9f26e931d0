import { InvalidConfiguration } from '../base/errors.ts'
import type { UnclearVariable } from './env.ts'

const meanings = {
  AUTH_URL: 'a URL such as https://example.com',
  AUTH_TRUST_HOST: 'true or false',
} as const

/** The fault of a variable that cannot be understood. */
export function unclearVariable({ name, value }: UnclearVariable): InvalidConfiguration {
  const message = `${name} must be ${meanings[name]}, not ${JSON.stringify(value)}.`
  return new InvalidConfiguration(message)
}
