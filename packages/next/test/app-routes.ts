// Groups of routes of the application of the tests, for builds that can do without them.

/** Signing in by codes and passwords, as a form of the application does. */
export const SIGN_IN_ROUTES = ['app/codes', 'app/passwords', 'app/password-auth']

/** Access tokens of a provider. */
export const TOKEN_ROUTES = ['app/tokens', 'app/api/tokens', 'app/kept-auth', 'app/stored-auth']

/** What a cache may keep. */
export const CACHE_ROUTES = [
  ...['app/static', 'app/wrapped', 'app/private/static', 'app/private/data'],
  ...['app/api/kept', 'app/api/wrapped-kept', 'pages/still.tsx', 'pages/public.tsx'],
  'pages/api/old-kept.ts',
]

/** Further places to read a session in, and what a reading of it brings along. */
export const READING_ROUTES = [
  ...['app/admin', 'app/links', 'app/split', 'app/thrice', 'app/untouched'],
  ...['app/api/echo', 'app/api/lazy', 'app/api/plain', 'app/api/wrapped'],
  ...['app/required', 'app/api/required'],
]
