/** What the library warns of. */
export type WarningCode =
  | 'any-host-trusted'
  | 'debug-enabled'
  | 'csrf-disabled'
  | 'endpoints-not-mounted'
  | 'env-url-basepath-redundant'
  | 'env-url-basepath-mismatch'
  | 'experimental-webauthn'
  | 'generated-secret'
  | 'insecure-url'
  | 'short-secret'
  | 'missing-client-id'
  | 'mount-basepath-mismatch'
  | 'repeated-provider-id'
  | 'theme-color'
  | 'theme-contrast'
  | 'theme-logo'
  | 'untrusted-proxy'

/** What to do about each of the things that are warned of. */
export const cureOf: Readonly<Record<WarningCode, string>> = {
  'any-host-trusted':
    'Any host named in a request is trusted, so a visitor can choose where links lead, even those in ' +
    'emails to others. Set AUTH_URL, or list your hosts in trustHost.',
  'debug-enabled': 'debug is on: switch it off in production.',
  'csrf-disabled': 'The CSRF check is switched off by skipCSRFCheck.',
  'endpoints-not-mounted':
    'Visitors are sent to sign in, but ServerAuth was never called with this configuration. Mount it, as ' +
    "in app.use('/auth', ServerAuth(config)), with the same object the guards get; or set " +
    'pages.signIn to the page where people sign in.',
  'env-url-basepath-redundant':
    'AUTH_URL has a path and basePath is set too: basePath is used. Set one of them.',
  'env-url-basepath-mismatch':
    'The path of AUTH_URL does not end with basePath: basePath is used. Make them agree.',
  'mount-basepath-mismatch':
    'The endpoints are not mounted where basePath or AUTH_URL says, or, if neither is set, not at /auth. ' +
    'They follow the mount, but whatever links to them from elsewhere cannot: set basePath to where they are.',
  'experimental-webauthn': 'WebAuthn is experimental and may change.',
  'generated-secret':
    'No secret is set, so a random one is used until this process ends. Set AUTH_SECRET to a random ' +
    'string of at least 32 characters.',
  'insecure-url':
    'AUTH_URL begins with http:// in production, so cookies travel unencrypted and links lead to http. ' +
    'Set it to the https:// URL that browsers see.',
  'untrusted-proxy':
    'X-Forwarded-Proto says that a request came over HTTPS, but Express does not trust its sender: ' +
    'cookies are not Secure, and links lead to http. Set AUTH_URL to the https:// URL of the site, or ' +
    "app.set('trust proxy', …) to the address of your proxy.",
  'short-secret':
    'The secret is short. Set AUTH_SECRET to a random string of at least 32 characters.',
  'repeated-provider-id':
    'Two providers have the same id: the first one is used. Give the other one a different `id`.',
  'theme-color':
    'theme.brandColor or theme.buttonText is not a colour the pages can use, and is ignored. Set it to ' +
    'something like "#346df1", "rebeccapurple" or "oklch(60% 0.2 260)".',
  'theme-contrast':
    'theme.buttonText is hard to read on theme.brandColor. Leave it out to get black or white, ' +
    'whichever reads better.',
  'theme-logo':
    'theme.logo is not an image address, and is ignored. Set it to a path such as "/logo.svg", an ' +
    'http(s) URL, or a data URL.',
  'missing-client-id':
    'A provider has no clientId, so no one can sign in with it. Set AUTH_<PROVIDER>_ID and AUTH_<PROVIDER>_SECRET.',
}
