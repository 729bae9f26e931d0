import { InvalidEndpoints } from '../base/errors.ts'
import { requestJson } from './api-request.ts'
import type { UserinfoRequestContext } from './oauth.ts'
import { fillTemplates, readPath, type TemplateValues } from './template.ts'

/**
 * How a profile is fetched, where a plain GET with a bearer token will not do. Texts are templates
 * over the provider's options, `{clientId}`, `{clientSecret}` and `{token.…}`.
 */
export interface UserinfoQuirks {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>
  /** Sent as JSON, as it is. */
  readonly json?: unknown
  /** The word in front of the token in the `Authorization` header; null for no such header. */
  readonly scheme?: 'Bearer' | 'OAuth' | null
  /** The part of the answer that is the profile. */
  readonly unwrap?: string
}

/** Fetches a profile the way a provider wants to be asked. */
export async function requestUserinfo<P>(
  { tokens, provider, fetch }: UserinfoRequestContext<P>,
  quirks: UserinfoQuirks,
  options: TemplateValues = {},
): Promise<P> {
  const { clientId, clientSecret } = provider
  const values = { ...options, clientId, clientSecret, token: tokens }
  const { scheme = 'Bearer', form, json } = quirks
  const url = userinfoUrl(provider)
  for (const [name, value] of Object.entries(fillTemplates(quirks.query ?? {}, values))) {
    url.searchParams.set(name, value)
  }
  const headers = fillTemplates(quirks.headers ?? {}, values)
  if (scheme) headers['authorization'] = `${scheme} ${tokens.access_token}`
  if (json !== undefined) headers['content-type'] = 'application/json'
  const body = form
    ? new URLSearchParams(fillTemplates(form, values))
    : json !== undefined && JSON.stringify(json)
  const method = quirks.method ?? (body ? 'POST' : 'GET')
  const answer = await requestJson(fetch, url, { method, headers, ...(body ? { body } : {}) })
  // The shape is what the provider documents; `profile` reads it with care.
  return (quirks.unwrap ? readPath(answer, quirks.unwrap) : answer) as P
}

/** Where a provider's profile is, as the engine resolved it. */
export function userinfoUrl<P>(provider: UserinfoRequestContext<P>['provider']): URL {
  const endpoint: string | { url?: string | URL } | undefined = provider.userinfo
  const url = typeof endpoint === 'string' ? endpoint : endpoint?.url
  if (!url) throw new InvalidEndpoints(`provider ${provider.id} has no userinfo endpoint`)
  return new URL(url)
}
