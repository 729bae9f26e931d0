import type { InvalidEndpoints } from '../../base/errors.ts'
import type { Profile } from '../../base/user.ts'
import type { OAuthConfig } from '../../providers/oauth.ts'
import { orInvalid } from '../provider-error.ts'
import { resolveAuthorization } from './endpoints.ts'
import type { Parameter } from './parameters.ts'

/** A deployment that providers send people back to, and those that it may pass them on to. */
export interface RedirectProxy {
  /** Up to and including the base path. */
  readonly url: string | undefined
  readonly origins: readonly string[]
}

/** The part of a provider that its callbacks are passed on by. A proxy need not be a client itself. */
export interface Forwarding {
  readonly id: string
  /** The callback URL at the proxy, if there is one. */
  readonly proxyCallbackUrl: string | undefined
  /** The origins that callbacks go to through the proxy. */
  readonly proxyOrigins: readonly string[]
  readonly allowInsecureRequests: boolean
}

/** Decides how the callbacks of a provider are passed on. */
export function resolveForwarding(
  config: OAuthConfig<Profile>,
  proxy: RedirectProxy,
): Forwarding | InvalidEndpoints {
  return orInvalid(config.id, () =>
    forwardingOf(config, resolveAuthorization(config).params, proxy),
  )
}

/** Decides the same where the parameters of the authorization request are known. */
export function forwardingOf(
  config: OAuthConfig<Profile>,
  params: readonly Parameter[],
  proxy: RedirectProxy | undefined,
): Forwarding {
  // A hop would turn the posted form into a query, and browsers would not send the cookie.
  const url = isFormPost(params) ? undefined : config.redirectProxyUrl || proxy?.url
  return {
    id: config.id,
    proxyCallbackUrl: url && `${url.replace(/\/+$/, '')}/callback/${encodeURIComponent(config.id)}`,
    proxyOrigins: proxy?.origins ?? [],
    allowInsecureRequests: config.allowInsecureRequests === true,
  }
}

/** Whether the provider is asked to post a form to the callback. */
export function isFormPost(params: readonly Parameter[]): boolean {
  return params.some(([name, value]) => name === 'response_mode' && value === 'form_post')
}
