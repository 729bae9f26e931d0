import { PasswordRefused } from '../../base/errors.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { findPasswordProblem } from '../../passwords/rules.ts'
import type { PasswordConfig } from '../../providers/password.ts'

/** The password that a user has chosen. Throws a `PasswordRefused` unless it is a good one. */
export async function requirePassword(
  { logger }: ResolvedConfig,
  { id, rules = {} }: PasswordConfig,
  address: string,
  chosen: unknown,
): Promise<string> {
  const password = typeof chosen === 'string' ? chosen : ''
  const problem = await findPasswordProblem(password, rules, {
    names: [address],
    onUnknown(error) {
      const cause = error instanceof Error ? error.message : String(error)
      logger.error(new Error(`The blocklist of "${id}" could not be asked: ${cause}`))
    },
  })
  if (problem) throw passwordError(problem)
  return password
}

/** Says why a password is not taken. */
export function passwordError(code: PasswordRefused['code']): PasswordRefused {
  const error = new PasswordRefused(REASONS[code])
  error.code = code
  return error
}

const REASONS: Readonly<Record<PasswordRefused['code'], string>> = {
  too_short: 'The password is too short.',
  too_long: 'The password is too long.',
  too_common: 'The password is one that others would guess.',
  wrong_password: 'The current password is not what was typed.',
  only_sign_in_method: 'The user has no other way to sign in: the password cannot be removed.',
}
