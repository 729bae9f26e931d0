import { type AuthError, InvalidConfiguration } from '../../base/errors.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { accountProblems } from '../account-options.ts'
import { bindingProblem, cookieProblem, cookieTables } from '../cookies.ts'
import { limitProblems } from '../limits.ts'
import { redirectProxyUrl } from '../provider-env.ts'
import { sharedIdProblems } from '../provider-issuers.ts'
import { isHttpUrl, isPage } from '../site-address.ts'
import type { ConfigSources } from '../sources.ts'
import { listedHostProblems } from './listed-hosts.ts'
import { adapterProblems } from './validate-adapter.ts'
import { passkeyProblems } from './validate-passkeys.ts'
import { severalPasswordProblems } from './validate-passwords.ts'
import { noticeProblems, providerProblems } from './validate-providers.ts'
import { readingProblems, sessionProblems, trackingProblems } from './validate-session.ts'

/** The providers of an application, by their ids. */
type Providers = ReadonlyMap<string, ProviderObject>

/** Everything that is wrong with a configuration, each with what to do about it. */
export function findProblems(sources: ConfigSources, providers: Providers): readonly AuthError[] {
  const all = [...providers.values()]
  return [
    ...readingProblems(sources),
    ...optionProblems(sources).map(invalid),
    ...limitProblems(sources.options).map(invalid),
    ...trackingProblems(sources.options).map(invalid),
    ...all.flatMap(providerProblems),
    ...noticeProblems(all, sources.options),
    ...passkeyProblems(all, sources),
    ...severalPasswordProblems(all).map(invalid),
    ...adapterProblems(all, sources.options),
    ...sharedIdProblems(all, sources.options),
    ...cookieProblems(sources),
  ]
}

function invalid(message: string): AuthError {
  return new InvalidConfiguration(message)
}

/** The problems with options that most sessions have nothing to do with. */
function optionProblems(sources: ConfigSources): readonly string[] {
  const { options, env } = sources
  const { basePath } = options
  const proxyUrl = redirectProxyUrl(options.redirectProxyUrl, env)
  const invalidPages = Object.entries(options.pages ?? {}).filter(
    ([, page]) => page !== undefined && !isPage(page),
  )
  return [
    !!basePath && !basePath.startsWith('/') && 'basePath must start with a slash, as in "/auth".',
    ...sessionProblems(options),
    ...accountProblems(options),
    ...invalidPages.map(
      ([name]) => `pages.${name} must be a path such as "/login", or an http(s) URL.`,
    ),
    proxyUrl !== undefined &&
      !isHttpUrl(proxyUrl) &&
      'redirectProxyUrl must be the full URL of the endpoints on the proxy.',
    ...listedHostProblems(sources),
  ].filter(each => typeof each === 'string')
}

function cookieProblems(sources: ConfigSources): AuthError[] {
  const problems = Object.values(cookieTables(sources)).flatMap(table => [
    ...Object.entries(table).map(([key, cookie]) => cookieProblem(key, cookie)),
    bindingProblem(table),
  ])
  return [...new Set(problems)].filter(problem => problem !== null).map(invalid)
}
