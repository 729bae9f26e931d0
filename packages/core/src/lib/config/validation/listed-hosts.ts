import { type HostRegistration, judgePattern } from '../../http/hosts/judge-pattern.ts'
import { hostOfOrigin } from '../../http/hosts/listed-origin.ts'
import { redirectProxyOrigins } from '../provider-env.ts'
import type { ConfigSources } from '../sources.ts'

/** An entry of an option that lists hosts or origins. */
interface Listed {
  readonly option: 'trustHost' | 'trustedOrigins' | 'redirectProxyOrigins'
  readonly entry: unknown
  readonly registration: HostRegistration
}

/** The problems with entries of lists of hosts and origins. */
export function listedHostProblems(sources: ConfigSources): readonly string[] {
  return listedHosts(sources).flatMap(({ option, entry, registration }) => {
    if (registration === 'malformed') return [malformed(option, entry)]
    if (registration !== 'open') return []
    return (
      `${option} lists ${JSON.stringify(entry)}, and anyone can register such a host. ` +
      'List your hosts one by one, or use a pattern below a domain of your own.'
    )
  })
}

/** The entries for which it is unknown whether anyone can register such a host; empty if there are none. */
export function unjudgedHosts(sources: ConfigSources): string {
  return listedHosts(sources)
    .filter(({ registration }) => registration === 'unknown')
    .map(({ option, entry }) => `${option} lists ${JSON.stringify(entry)}.`)
    .join(' ')
}

function listedHosts({ options, env, trustHost }: ConfigSources): readonly Listed[] {
  const { trustedOrigins } = options
  const proxyOrigins = redirectProxyOrigins(options.redirectProxyOrigins, env)
  return [
    ...patternsIn(trustHost).map(entry => judged('trustHost', entry, entry)),
    ...patternsIn(trustedOrigins).map(entry =>
      judged('trustedOrigins', entry, hostOfOrigin(entry)),
    ),
    ...proxyOrigins.map(entry => judged('redirectProxyOrigins', entry, hostOfOrigin(entry))),
  ]
}

/** Entries without a `*` are compared as they are: none of them can name too much. */
function patternsIn(list: unknown): readonly string[] {
  if (!Array.isArray(list)) return []
  return list.filter(each => typeof each === 'string' && each.includes('*'))
}

function judged(option: Listed['option'], entry: unknown, host: string | null): Listed {
  return { option, entry, registration: host === null ? 'malformed' : judgePattern(host) }
}

function malformed(option: Listed['option'], entry: unknown): string {
  const examples =
    option === 'trustHost'
      ? 'hosts such as "example.com" or "*.example.com", without a scheme or a path,'
      : 'origins such as "https://example.com" or "https://*.example.com", without a path,'
  return `${option} must list ${examples} and at most one * in a label. It lists ${JSON.stringify(entry)}.`
}
