import { type AuthClientOptions, endpointsOfPage, findEndpointsBy } from './lib/endpoints.ts'
import { type ClientPasswordCalls, passwordsAt } from './lib/passwords-at.ts'

export type {
  ChangePasswordOptions,
  PasswordLinkOptions,
  RemovePasswordOptions,
} from '@siteauth/core/types'
export type { AuthClientOptions, EndpointsOptions } from './lib/endpoints.ts'
export type { ClientChoosePasswordOptions, ClientPasswordCalls } from './lib/passwords-at.ts'
export type { SubmitResult } from './lib/submit.ts'

/** The calls about passwords, for one set of endpoints. */
export interface PasswordsClient {
  readonly passwords: ClientPasswordCalls
}

/**
 * Passwords, for forms of your own: `sendLink`, `choose`, `change` and `remove`. Each resolves with the outcome, even on
 * failure, and the page stays. If `error` is `PasswordRefused`, `code` says why: `too_short`, `too_long`, `too_common`,
 * `wrong_password` or `only_sign_in_method`.
 *
 * @example
 * ```ts
 * import { passwords } from '@siteauth/client/passwords'
 *
 * const { ok } = await passwords.sendLink({ purpose: 'reset', email: 'ann@example.com' })
 * ```
 */
export const passwords: ClientPasswordCalls = /* @__PURE__ */ passwordsAt(endpointsOfPage)

/**
 * Creates `passwords` for endpoints that are not at `/api/auth`. Only needed on pages without a session store; otherwise
 * they use its endpoints.
 *
 * @example
 * ```ts
 * import { createPasswordsClient } from '@siteauth/client/passwords'
 *
 * export const { passwords } = createPasswordsClient({ basePath: '/auth' })
 * ```
 */
export function createPasswordsClient(options: AuthClientOptions): PasswordsClient {
  return { passwords: passwordsAt(findEndpointsBy(options)) }
}
