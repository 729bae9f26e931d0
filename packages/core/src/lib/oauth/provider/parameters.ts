import { ProviderError } from '../provider-error.ts'
import { parseUrl } from '../secure-url.ts'

/** A parameter of a request. A name may come more than once. */
export type Parameter = readonly [name: string, value: string]

/** The parameters that an application has configured. */
export function parametersOf(
  params: Readonly<Record<string, unknown>> | undefined,
): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === undefined || value === null) continue
    if (!Array.isArray(value)) parameters.push([name, textOf(value)])
    else if (name === 'scope') parameters.push([name, value.join(' ')])
    // RFC 8707 §2: `resource` may be repeated.
    else for (const each of value) parameters.push([name, textOf(each)])
  }
  return Object.freeze(parameters)
}

function textOf(value: unknown): string {
  // OIDC Core §5.5: `claims` is JSON; so is every other parameter that has members.
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A URL with parameters, which replace those of the same name. */
export function withParameters(
  url: string | undefined,
  parameters: readonly Parameter[],
): string | undefined {
  if (!url || parameters.length === 0) return url
  const complete = urlOf('userinfo', url)
  for (const [name] of parameters) complete.searchParams.delete(name)
  for (const [name, value] of parameters) complete.searchParams.append(name, value)
  return complete.href
}

/** A configured URL. Throws if the text is not one. */
export function urlOf(name: string, text: string): URL {
  const url = parseUrl(text)
  if (!url) throw new ProviderError(`${name}: expected a URL, found ${JSON.stringify(text)}`)
  return url
}
