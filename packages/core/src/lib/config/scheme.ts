import type {
  ReadingScheme,
  ResolvedConfig,
  SchemeConfig,
  SessionConfig,
} from './resolved-config.ts'

/** The cookies and sessions of the visitors of one origin. */
export function schemeOf(config: ResolvedConfig, origin: string): SchemeConfig {
  return schemeFor(config, { secure: origin.startsWith('https:') })
}

/** The cookies and sessions of visitors who come over HTTPS, or who do not. */
export function schemeFor<AnyScheme extends ReadingScheme>(
  config: Pick<SessionConfig, 'useSecureCookies'> & {
    readonly https: AnyScheme
    readonly http: AnyScheme
  },
  { secure }: { readonly secure: boolean },
): AnyScheme {
  return (config.useSecureCookies ?? secure) ? config.https : config.http
}
