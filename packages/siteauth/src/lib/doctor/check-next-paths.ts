import type { Finding } from './finding.ts'
import type { Subject } from './project-under-test.ts'

/** Addresses at which Next shows a page that `authorized` has not decided about. */
export function checkNextPaths(subject: Subject): readonly Finding[] {
  const { configs, sources, project } = subject
  const proxy = sources.files.find(file => /^(?:src\/)?(?:proxy|middleware)\.[jt]s$/.test(file))
  if (project.framework !== 'next' || !proxy || !configs.some(decidesInProxy)) return []
  const config = sources.files.find(file => /^next\.config\.[cm]?[jt]s$/.test(file))
  const seen = {
    config,
    settings: (config && sources.text(config)) ?? '',
    proxy,
    matcher: sources.text(proxy) ?? '',
    routes: sources.files.flatMap(file => segmentsOf(file) ?? []),
  }
  return [
    ...rscSuffix(subject, seen),
    ...unmatched(seen),
    ...withoutLocale(seen),
    ...defaultLanguage(subject, seen),
  ]
}

/** What the checks look at. */
interface Seen {
  readonly config: string | undefined
  /** What `next.config` says. */
  readonly settings: string
  readonly proxy: string
  readonly matcher: string
  readonly routes: readonly Route[]
}

/**
 * Next cuts `.rsc` off the path for the proxy, and not for its router. So `/login.rsc` is the sign-in page to `authorized`,
 * which exempts it, and a route with a parameter to the router.
 */
function rscSuffix({ configs }: Subject, { config, settings, routes }: Seen): readonly Finding[] {
  if (/\.rsc/.test(settings)) return []
  return configs.filter(decidesInProxy).flatMap(({ options }) =>
    exemptPages(options['pages']).flatMap((page): Finding[] => {
      const other = routes.find(({ segments }) => matches(segments, `${page}.rsc`))
      if (!other) return []
      return [
        {
          code: 'rsc-suffix',
          severity: 'error',
          what: `Strangers can open ${other.file} as ${page}.rsc, which authorized takes for ${page}.`,
          cure: "Write redirects: async () => [{ source: '/:path(.*)\\\\.rsc', destination: '/:path', permanent: false }] in next.config.",
          where: config ?? other.file,
        },
      ]
    }),
  )
}

/** A matcher that leaves out Next's own paths leaves out what is not a file there as well. */
function unmatched({ config, settings, proxy, matcher, routes }: Seen): readonly Finding[] {
  const isWhole = /_next\/?[|)]/.test(matcher)
  if (!isWhole && !/_next\/static/.test(matcher)) return []
  if (!isWhole && /\/_next\/static\//.test(settings)) return []
  const path = isWhole ? '/_next/x' : '/_next/static/x'
  const other = routes.find(({ segments }) => matches(segments, path))
  if (!other) return []
  return [
    {
      code: 'unmatched-path',
      severity: 'error',
      what: `Strangers can open ${other.file} as ${path}, which the matcher in ${proxy} leaves out.`,
      cure:
        "Write matcher: ['/((?!_next/static/|_next/image$).*)'], and in next.config rewrites: async () => ({ beforeFiles: [], " +
        "afterFiles: [{ source: '/_next/static/:path*', destination: '/_not-found' }], fallback: [] }).",
      where: config ?? proxy,
    },
  ]
}

/** With `i18n` of the Pages Router, Next puts the language before each pattern, which then needs a slash after it. */
function withoutLocale({ settings, proxy, matcher }: Seen): readonly Finding[] {
  const isBelowLocale = /\bmatcher\s*:/.test(matcher) && !/\blocale\s*:\s*false\b/.test(matcher)
  if (!/\bi18n\s*:/.test(settings) || !isBelowLocale || /['"`]\/['"`]/.test(matcher)) return []
  return [
    {
      code: 'matcher-without-locale',
      severity: 'error',
      what: `Strangers can open the home page, which the matcher in ${proxy} leaves out: with i18n, Next puts the language before each pattern.`,
      cure: "Write matcher: [{ source: '…', locale: false }] with each pattern.",
      where: proxy,
    },
  ]
}

/** For the proxy, Next cuts a default language off the path. The App Router has no route at the path with it. */
function defaultLanguage(
  { configs }: Subject,
  { config, settings, routes }: Seen,
): readonly Finding[] {
  const pages = ['/auth/signin', ...configs.flatMap(({ options }) => exemptPages(options['pages']))]
  const other = routes.find(
    ({ file, segments }) =>
      /^(?:src\/)?pages\//.test(file) &&
      segments.some(segment => segment.startsWith('[')) &&
      pages.some(page => matches(segments, page)),
  )
  const languages = [...settings.matchAll(/\bdefaultLocale\s*:\s*['"`]([\w-]+)/g)].map(
    found => found[1],
  )
  const open = languages.find(language => !settings.includes(`/${language}/:path*`))
  if (!other || open === undefined) return []
  return [
    {
      code: 'default-language',
      severity: 'error',
      what: `Strangers can open ${other.file} as /${open} before the path of an exempt page, which authorized takes for that page.`,
      cure: `Write redirects: async () => [{ source: '/${open}/:path*', destination: '/:path*', locale: false, permanent: false }] in next.config.`,
      where: config ?? other.file,
    },
  ]
}

function decidesInProxy({
  options,
}: {
  readonly options: Readonly<Record<string, unknown>>
}): boolean {
  const { callbacks } = options
  return typeof callbacks === 'object' && callbacks !== null && 'authorized' in callbacks
}

/** The pages that `authorized` cannot close, as far as the code says where they are. */
function exemptPages(pages: unknown): readonly string[] {
  if (typeof pages !== 'object' || pages === null) return []
  const { signIn, signOut, error, verifyRequest } = pages as Readonly<Record<string, unknown>>
  return [signIn, signOut, error, verifyRequest].filter(
    (page): page is string => typeof page === 'string' && /^\/[^?#]+[^/?#]$/.test(page),
  )
}

interface Route {
  readonly file: string
  readonly segments: readonly string[]
}

/** The route of a file, if it has one. */
function segmentsOf(file: string): Route | undefined {
  const found = /^(?:src\/)?(app|pages)\/(.*)\.[jt]sx?$/.exec(file)
  if (!found) return undefined
  const [, folder, path = ''] = found
  const parts = path.split('/')
  const last = parts.at(-1)
  if (folder === 'app' && last !== 'page' && last !== 'route') return undefined
  const whole = folder === 'app' || last === 'index' ? parts.slice(0, -1) : parts
  // Folders in parentheses and slots are not part of the path.
  return { file, segments: whole.filter(part => !/^(?:\(.*\)|@.*)$/.test(part)) }
}

function matches(segments: readonly string[], path: string): boolean {
  const parts = path.split('/').slice(1)
  for (const [index, part] of parts.entries()) {
    const segment = segments[index]
    if (segment === undefined) return false
    if (/^\[+\.\.\./.test(segment)) return true
    if (!/^\[/.test(segment) && segment !== part) return false
  }
  return segments.length === parts.length
}
