import {
  completeHashing,
  completeRules,
  passwordLinkMaxAge,
} from '../../passwords/password-defaults.ts'
import type { PasswordConfig } from '../../providers/password.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { isPage } from '../site-address.ts'

/** The problems with a password provider. */
export function passwordProblems(provider: PasswordConfig): readonly string[] {
  const { id, mail, pages = {} } = provider
  const maxAge = passwordLinkMaxAge(provider)
  const sends = typeof mail === 'function' || typeof mail?.sendVerificationRequest === 'function'
  const { minLength, maxLength } = completeRules(provider.rules)
  const { concurrency, algorithm, scryptCost, argon2Cost } = completeHashing(provider.hashing)
  const { ln, r, p } = scryptCost
  const { m, t, p: lanes } = argon2Cost
  return [
    !sends &&
      `The provider "${id}" needs \`mail\`: a function that sends messages, or an email provider.`,
    !(maxAge > 0) && `maxAge of the provider "${id}" must be a number of seconds greater than 0.`,
    !(Number.isInteger(minLength) && minLength >= 8) &&
      `rules.minLength of the provider "${id}" must be a whole number, 8 or greater.`,
    !(Number.isInteger(maxLength) && maxLength >= 64 && maxLength <= 4096) &&
      `rules.maxLength of the provider "${id}" must be a whole number from 64 to 4096.`,
    ![undefined, 'argon2id', 'scrypt'].includes(algorithm) &&
      `hashing.algorithm of the provider "${id}" must be 'argon2id' or 'scrypt'.`,
    ![ln, r, p, m, t, lanes, concurrency].every(each => Number.isInteger(each) && each >= 1) &&
      `The costs in hashing of the provider "${id}", and concurrency, must be whole numbers, 1 or greater.`,
    (128 * r * 2 ** ln > 2 ** 30 || m > 2 ** 20) &&
      `The costs in hashing of the provider "${id}" ask for over 1 GiB for each hash. Lower them.`,
    (2 ** ln * r * p > 2 ** 24 || m * t > 2 ** 22 || lanes > 255) &&
      `The costs in hashing of the provider "${id}" ask for more than some seconds for each hash. Lower them.`,
    ...Object.entries(pages).map(
      ([name, page]) =>
        page !== undefined &&
        !isPage(page) &&
        `pages.${name} of the provider "${id}" must be a path such as "/login", or an http(s) URL.`,
    ),
  ].filter(each => typeof each === 'string')
}

/** A user has one password, and so one provider looks after it. */
export function severalPasswordProblems(providers: readonly ProviderObject[]): readonly string[] {
  const ids = providers.filter(({ type }) => type === 'password').map(({ id }) => id)
  if (ids.length < 2) return []
  return [
    `Only one provider can look after passwords. Remove all but one of these: ${ids.join(', ')}.`,
  ]
}
