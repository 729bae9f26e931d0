import type { AuthConfig } from '@siteauth/core'
import { isLoopbackTrust, resolveConfig } from '@siteauth/core/internal/config'
import { defaultBasePath } from '../code/endpoint-paths.ts'
import { UNKNOWN } from '../code/reading.ts'
import type { Finding } from './finding.ts'
import { placeOf, type Subject } from './project-under-test.ts'
import { AT_RUN_TIME, standInAdapter, withStandIns } from './stand-ins.ts'

/** What the library itself has to say about each configuration. */
export function checkConfig(subject: Subject): readonly Finding[] {
  const { configs, providers, env, mode } = subject
  return configs.flatMap(config => {
    const findings: Finding[] = []
    const where = placeOf(config)
    const given = providers.filter(each => each.config === config).flatMap(each => each.given ?? [])
    const { adapter, secret, trustHost, logger: _, ports: __, ...rest } = config.options
    const options = {
      ...(withStandIns(rest) as Partial<AuthConfig>), // the library says what is wrong with it
      ...(adapter !== undefined && { adapter: standInAdapter() }),
      ...(secret !== undefined && { secret: secret === UNKNOWN ? LONG : (secret as string) }),
      ...(trustHost !== undefined && {
        trustHost: trustHost === UNKNOWN || (trustHost as boolean),
      }),
      providers: given,
      logger: {
        error() {},
        debug() {},
        warn(code: string, details?: string) {
          const warning = WARNINGS[code]
          if (warning)
            findings.push({
              ...warning,
              code,
              what: `${warning.what}${details ? ` ${details}` : ''}`,
            })
        },
      },
    } satisfies AuthConfig
    const platform = { env, defaultBasePath: defaultBasePath(config) }
    const { problems = [], origin, trustHost: trust } = resolveConfig(options, platform)
    const faulty = problems.map(({ type, message }): Finding => {
      const { what, cure } = splitCure(message)
      return { code: type, severity: 'error', what, cure: cure || `Correct it in ${where}.`, where }
    })
    if (config.options['debug'] === true && mode === 'production') findings.push(DEBUG)
    if (mode === 'production' && !origin && isLoopbackTrust(trust))
      faulty.push({ ...NO_HOST, where })
    return [...faulty, ...findings.map(each => ({ ...each, where }))]
  })
}

/** The library says so only once a request comes from outside. */
const NO_HOST: Finding = {
  code: 'UntrustedHost',
  severity: 'error',
  what: 'The host of the application is unknown, so only browsers on the same machine are served.',
  cure: 'Set AUTH_URL to its URL, or list its hosts in trustHost.',
}

/** The library says so only to a logger of its own. */
const DEBUG: Finding = {
  code: 'debug-enabled',
  severity: 'warning',
  what: '`debug` is on, so the log tells more than it should in production.',
  cure: "Write debug: process.env.NODE_ENV === 'development', or remove it.",
}

const LONG = AT_RUN_TIME.repeat(2)

/** Messages of the library begin with what is wrong, and end with what to do. */
function splitCure(message: string): { readonly what: string; readonly cure: string } {
  const [, what = message, cure = ''] =
    /^(.+?[.:]) ((?:Set|Use|Give|Remove|Leave|Make|List|Only|Write|Run) .+)$/s.exec(message) ?? []
  return { what, cure }
}

/** What the library warns of, in the words of somebody who looks at the whole project. */
const WARNINGS: Readonly<Record<string, Omit<Finding, 'code' | 'where'>>> = {
  'any-host-trusted': {
    severity: 'warning',
    what: 'Any host that a request names is trusted, so a visitor can choose where links in emails lead.',
    cure: 'Set AUTH_URL, or list your hosts in trustHost.',
  },
  'short-secret': {
    severity: 'error',
    what: 'The secret is shorter than 32 characters, and could be guessed.',
    cure: 'Run npx siteauth secret --rotate.',
  },
  'missing-client-id': {
    severity: 'error',
    what: 'A provider has no client id.',
    cure: 'Set the variable that is named here to what the provider gave you. `npx siteauth add <provider>` says where to get it.',
  },
  'insecure-url': {
    severity: 'error',
    what: 'AUTH_URL begins with http://, so cookies travel unencrypted.',
    cure: 'Set it to the https:// URL that browsers see.',
  },
  'generated-secret': {
    severity: 'warning',
    what: 'No secret is set, so everybody is signed out when the server restarts.',
    cure: 'Run npx siteauth secret.',
  },
  'repeated-provider-id': {
    severity: 'error',
    what: 'Two providers have the same id, and only the first one works.',
    cure: 'Give the other one a different `id`.',
  },
  'env-url-basepath-mismatch': {
    severity: 'error',
    what: 'The path of AUTH_URL and `basePath` disagree about where the endpoints are.',
    cure: 'Take the path off AUTH_URL, or make it end with basePath.',
  },
  'unknown-suffix': {
    severity: 'warning',
    what: 'Whether anyone can register a host that a pattern names is not known.',
    cure: 'List your hosts one by one unless such names are yours alone.',
  },
  'theme-color': {
    severity: 'warning',
    what: 'A colour in `theme` is none that a page can use.',
    cure: 'Write one such as "#346df1".',
  },
}
