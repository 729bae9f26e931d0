import type { RawRequest } from './raw-request.ts'

/**
 * How many of the attacks are sent: all of them, or a sample of about a third, in which every detour, suffix, method and header
 * still occurs.
 */
export type AttackExtent = 'all' | 'sample'

/** In a sample, a row is tried with one in so many columns. */
const STEP = 4

/** The cells of a table. A sample has cells of every row and of every column: each row begins with another column. */
export function cellsOf<Row, Column>(
  rows: readonly Row[],
  columns: readonly Column[],
  extent: AttackExtent,
): readonly (readonly [Row, Column])[] {
  const step = extent === 'all' ? 1 : Math.min(STEP, columns.length)
  return rows.flatMap((row, at) =>
    columns.filter((_, index) => (index + at) % step === 0).map(column => [row, column] as const),
  )
}

/** Routes that every application has behind its guards: a wildcard, a parameter, and one for Ada alone. */
const GUARDED = ['/files/a', '/files/a/b', '/item/1', '/only-ada'] as const

/** The pages that visitors can see: the sign-in page of the application, and that of the library. */
const OPEN = ['/login', '/auth/signin'] as const

/** Ways from one path to another that only some of those who read it walk. */
const DETOURS = [
  '/..',
  '/%2e%2e',
  '/%2E%2E',
  '/.%2e',
  '\\..',
  '/..\\..',
  '%2f..',
  '%5c..',
  '/..;',
  ';/..',
  ';x=y/..',
  '/..%2f..',
  '/%252e%252e',
  '/..%00',
  '/..//..',
  '/...',
]

/** Other spellings of the sign-in page, for routes that swallow anything. */
const LOOK_ALIKES = [
  '//login',
  '///login',
  '/\\login',
  '\\login',
  '/.//login',
  '/./login',
  '/%2flogin',
  '/%5clogin',
  '//evil.example/login',
  '/LOGIN',
  '/Login',
  '/%6cogin',
  '/%6Cogin',
  '/%256cogin',
  '/%25256cogin',
  '/login/',
  '/login//',
  '/login/.',
  '/login%2f',
  '/login%20',
  '/login%09',
  '/login%00',
  '/login%0a',
  '/login;',
  '/login;x',
  '/login.',
  '/login%3fx',
  '/login%23x',
  '/login#/../files/a',
  '/login/../files/a',
  '/login%2f..%2ffiles%2fa',
  '/login\\..\\files\\a',
  '/login;/../files/a',
  '/login/%2e%2e/files/a',
  '/auth/signin/../../files/a',
  '/auth/../files/a',
  '/auth/%2e%2e/files/a',
  '//auth/signin',
  '/ran/../files/a',
  '/login&/../files/a',
  '/login%',
  '/login%zz',
  '/%25252flogin',
  '/%2525256cogin',
  '/loginx',
  '/log/in',
  '/authsession',
  '/auth/signin/x',
  '/auth/signin;/../../files/a',
  '/files/%',
  '/_next/x',
  '/_next/image/x',
  '/_next/static/x',
  '/_next/static/chunks/nothing.js',
  '/_next/static/..%2fsecret',
  '/_nuxt/x',
  '/_astro/x',
  '/_app/x',
  '/_build/x',
  '/assets/x',
  '/favicon.icox',
  '/favicon-ico',
  '/still.txtx',
  '/still-txt',
  '/ranx',
  '/files/%ff',
  '/%',
  '/%ff',
  '/%25%',
]

/** Suffixes by which frameworks ask for the data of a page. */
const SUFFIXES = [
  '.data',
  '.rsc',
  '.json',
  '.txt',
  '.html',
  '.css',
  '.js',
  '.map',
  '.prefetch.rsc',
  '.segments/_tree.segment.rsc',
  '/__data.json',
  '/_payload.json',
  '/_payload.js',
  '/index.html',
]

/** Targets in other forms than a path. */
function absoluteTargets(host: string): readonly string[] {
  return [
    ...['http://evil.example', `http://${host}`, 'https://evil.example:1', 'x://', '//'].flatMap(
      before => ['/login', '//login', '/files/a', '/login/../files/a'].map(path => before + path),
    ),
    '*',
    'login',
    '?/login',
    `${host}/login`,
  ]
}

/** All targets that are tried. */
export function attackTargets(host: string, extent: AttackExtent): readonly string[] {
  const ways = GUARDED.flatMap(guarded =>
    [...OPEN, '/ran'].flatMap(page => [1, 3].map(times => ({ guarded, page, times }))),
  )
  const detours = cellsOf(DETOURS, ways, extent).map(
    ([detour, { guarded, page, times }]) => guarded + detour.repeat(times) + page,
  )
  const endless = [
    '/%',
    '/files/%ff',
    '/login%',
    '/login',
    '//login',
    ...GUARDED,
    '/files/a/..',
    '/item/%2e%2e',
    '/files/a/%2e%2e/%2e%2e',
    '/_next/data/build/login',
  ]
  const ends = cellsOf(SUFFIXES, endless, extent).map(([suffix, target]) => target + suffix)
  const queries = GUARDED.flatMap(guarded => [
    guarded,
    `${guarded}/`,
    `${guarded}?/login`,
    `${guarded}#/login`,
    `${guarded}?callbackUrl=/login`,
    `${guarded}?__nextLocale=/login&nxtPid=login&__nextDefaultLocale=/login`,
    `${guarded}?_path=/login&path=/login&url=/login&_method=GET`,
    `${guarded}?_action=x&_routes=root&_rsc=1&x-sveltekit-invalidated=01`,
    `${guarded}/login`,
    `${guarded}%2flogin`,
    `${guarded};/login`,
  ])
  return [...new Set([...queries, ...detours, ...LOOK_ALIKES, ...ends, ...absoluteTargets(host)])]
}

/** Methods beside GET. */
export const METHODS = ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'QUERY', 'get'] as const

/** Targets for every other method: those that differ most. */
export function methodTargets(): readonly string[] {
  return [
    ...GUARDED,
    ...GUARDED.map(guarded => `${guarded}/../login`),
    ...GUARDED.map(guarded => `${guarded}/%2e%2e/auth/signin`),
    ...['//login', '/LOGIN', '/login/', '/.//login', '/login.data', '/login.rsc', '/%6cogin'],
  ]
}

/** Headers by which somebody may claim another path, another method, or that a framework asks. */
export const CLAIMS: readonly Readonly<Record<string, string | readonly string[]>>[] = [
  { 'x-forwarded-host': ['app.example.com', 'evil\\login?'] },
  { 'x-forwarded-host': 'evil/login#' },
  { host: ['127.0.0.1', 'evil\\login?'] },
  { host: ['evil\\login?', '127.0.0.1'] },
  {
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
  },
  { 'x-workos-session': 'x', 'x-auth-token': 'x', authorization: 'Bearer x' },
  { 'x-nextjs-rewrite': '/login', 'x-nextjs-matched-path': '/login' },
  { 'x-original-url': '/login' },
  { 'x-rewrite-url': '/login' },
  { 'x-original-uri': '/login' },
  { 'x-forwarded-uri': '/login' },
  { 'x-forwarded-path': '/login' },
  { 'x-forwarded-prefix': '/login' },
  { 'x-forwarded-prefix': '/files' },
  { 'x-forwarded-host': 'evil.example/login?' },
  { 'x-forwarded-host': 'evil.example\\login?', 'x-forwarded-proto': 'https' },
  { 'x-forwarded-proto': 'https://evil.example/login?' },
  { 'x-forwarded-port': '80/login?' },
  { forwarded: 'host=evil.example;proto="https://evil.example/login?"' },
  { 'x-http-method-override': 'GET' },
  { 'x-http-method-override': 'POST' },
  { 'x-http-method': 'HEAD' },
  { 'x-method-override': 'GET' },
  { 'x-sveltekit-pathname': '/login' },
  { 'x-sveltekit-pathname': '/admin/../login', 'x-sveltekit-search': '?x' },
  { 'x-sveltekit-pathname': '/%' },
  { 'x-sveltekit-action': 'true' },
  { 'x-sveltekit-invalidated': '01' },
  { 'x-nuxt-error': 'true' },
  { 'x-nuxt-payload': 'true' },
  { 'x-nitro-prerender': '/login' },
  { 'x-tsr-serverfn': 'true' },
  { 'x-tsr-redirect': 'true' },
  { 'x-server-id': 'x', 'x-server-instance': 'server-fn:0' },
  { 'x-single-flight': 'true' },
  { 'x-react-router-prerender-data': 'x', 'x-react-router-spa-mode': 'yes' },
  { 'x-remix-reload-document': 'true' },
  { 'next-action': 'x' },
  { rsc: '1', 'next-url': '/login' },
  { 'next-router-prefetch': '1', 'next-router-state-tree': '%5B%22login%22%5D' },
  { 'x-nextjs-data': '1', 'x-matched-path': '/login' },
  { 'x-invoke-path': '/login', 'x-invoke-status': '200', 'x-invoke-query': '%7B%7D' },
  { 'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy' },
  { 'x-middleware-next': '1', 'x-middleware-rewrite': '/login' },
  { 'x-astro-path': '/login', 'x-astro-locals': '{}' },
  { 'x-astro-action': 'x' },
  { 'x-siteauth-asked': 'x' },
  { referer: 'http://evil.example/login' },
  { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
  { 'x-requested-with': 'XMLHttpRequest' },
]

/** The same claims for the other way: the target is the sign-in page, and a header names what is behind the guard. */
export function claimsOfGuarded(): readonly Readonly<Record<string, string | readonly string[]>>[] {
  return CLAIMS.filter(claim => JSON.stringify(claim).includes('login')).flatMap(claim =>
    GUARDED.map(guarded =>
      Object.fromEntries(
        Object.entries(claim).map(([name, value]) => [
          name,
          [value]
            .flat()
            .map(each => each.replaceAll('/login', guarded).replaceAll('\\login', guarded)),
        ]),
      ),
    ),
  )
}

/** `Host` headers that no host has: a URL that is built from them has another path than the request. */
export const MALFORMED_HOSTS = [
  'evil/login?',
  'evil/login#',
  'evil\\login?',
  'evil\\login#',
  'evil:80/login?',
  'evil:80\\login?',
  'x@evil/login?',
  'evil?/login',
  'evil#/login',
  '[::1]/login?',
  '[::1/login?',
  '[x]',
  'evil:x',
  'evil:99999',
  'evil:',
  'evil,evil',
  'evil evil',
  'evil%2flogin%3f',
  'évil',
  '/login',
  '\\login',
  '?',
  '',
] as const

/** Calls of server functions under addresses that resemble the sign-in page. */
export function disguised({ target, ...call }: RawRequest): readonly RawRequest[] {
  const at = target.search(/[?#]|$/)
  const path = target.slice(0, at)
  const query = target.slice(at)
  const targets = [
    target,
    ...DETOURS.flatMap(detour => OPEN.map(page => path + detour + page + query)),
    ...OPEN.map(page => `${path}/..//..${page}${query}`),
    ...OPEN.map(page => `${page}/..${path}${query}`),
    ...OPEN.map(page => `${page}/../..${path}${query}`),
    `/login${query}`,
    `/${path}${query}`,
    `/.${path}${query}`,
    `${path}/${query}`,
    `${path}x${query}`,
    path.replace(/^\/./, found => `/%${found.charCodeAt(1).toString(16)}`) + query,
    `http://evil.example${path}${query}`,
  ]
  return [...new Set(targets)].map(each => ({ ...call, target: each }))
}

/** One target of each guarded route. */
export const GUARDED_PATHS: readonly string[] = GUARDED
