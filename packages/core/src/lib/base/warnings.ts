/** Everything that the library warns of, and what to do about it. */
export const cureOf = {
  'any-host-trusted':
    'Any host that a request names is trusted, so a visitor can choose where links lead, also those in emails to others. Set AUTH_URL, or list your hosts in trustHost.',
  'loopback-host-trusted':
    'A request names this machine as its host, and is served since nothing says where the application is. If a proxy passes on requests of others like this, they can sign in only at an address of this machine. Set AUTH_URL to the URL of the application.',
  'debug-enabled': 'debug is on: switch it off in production.',
  'csrf-disabled': 'The CSRF check is switched off by skipCSRFCheck.',
  'endpoints-not-mounted':
    "Visitors are sent to sign in, but the endpoints are not mounted. Mount them, as in app.use('/auth', auth.handler), or app.use('/auth', ServerAuth(config)) with the very object that getSession gets; or set pages.signIn to where people sign in.",
  'env-url-basepath-redundant':
    'AUTH_URL has a path and basePath is set too: basePath is used. Set one of them.',
  'env-url-basepath-mismatch':
    'The path of AUTH_URL does not end with basePath: basePath is used. Make them agree.',
  'mount-basepath-mismatch':
    'The endpoints are not mounted where basePath or AUTH_URL says, or not at /auth where neither says it. They follow the mount, but what leads to them from elsewhere cannot: set basePath to where they are.',
  'experimental-webauthn': 'WebAuthn is experimental and may change.',
  'generated-secret':
    'No secret is set, so a random one is used until this process ends. Set AUTH_SECRET to a random string of at least 32 characters.',
  'insecure-url':
    'AUTH_URL begins with http:// in production, so cookies travel unencrypted and links lead to http. Set it to the https:// URL that browsers see.',
  'no-account-lease':
    "The adapter has no leaseAccount, so only calls in one process wait for each other when a provider's tokens are refreshed. With several processes, a provider that rotates strictly may end the grant. Use an adapter of ours, or add the method.",
  'tokens-too-large':
    "A provider's tokens are too large for cookies, and are not kept: with them, servers would refuse every request of that browser. Use an adapter, or ask the provider for fewer scopes or claims.",
  'undecryptable-tokens':
    'Stored tokens of an account cannot be opened: they were sealed with a secret that is no longer configured, or moved from another row. The person has to sign in with the provider again. Put the earlier secret behind the new one.',
  'untrusted-proxy':
    "A request says by X-Forwarded-Proto that it came over HTTPS, but Express does not trust whoever said so: cookies are not Secure, and links lead to http. Set AUTH_URL to the https:// URL of the site, or app.set('trust proxy', …) to the address of your proxy.",
  'unknown-client-address':
    'Attempts are limited by account only, since the addresses of visitors are not known. Set clientAddress to say how many proxies of yours every request passes through, or which header your platform sets.',
  'sessions-outlast-passwords':
    'Resetting or changing a password ends no session here, so whoever has stolen one keeps it. Sessions in cookies need a log of what was ended: use an adapter that keeps one, or set session.revocation.log. Sessions in a database need an adapter with deleteSessions.',
  'unconditional-linking':
    'The adapter lacks linkAccountIf or claimUser, so an account is linked, or an address is stored as proved, and whether that was right is checked afterwards. If the process ends in between, an attacker who signed up with the address of another person may keep a way into the user that its owner gets. Add the methods to the adapter.',
  'no-revocations-table':
    'The database lacks the table for revocations, so a sign-in that is in progress while all sessions of its user are revoked still gets a session. Create the table with adapter.migrations.apply().',
  'short-secret':
    'The secret is short. Set AUTH_SECRET to a random string of at least 32 characters.',
  'repeated-provider-id':
    'Two providers have the same id: the first one is used. Give the other one a different `id`.',
  'theme-color':
    'theme.brandColor or theme.buttonText is no colour that a page can use, and is left out. Set it to one such as "#346df1", "rebeccapurple" or "oklch(60% 0.2 260)".',
  'theme-contrast':
    'theme.buttonText can hardly be read on theme.brandColor. Leave it out to have black or white, whichever can be read.',
  'theme-logo':
    'theme.logo is no address of an image, and is left out. Set it to a path such as "/logo.svg", an http(s) URL, or an image as data.',
  'unknown-suffix':
    'Whether anyone can register a host that a pattern names is not known here. List your hosts one by one unless such names are yours alone.',
  'missing-client-id':
    'A provider has no clientId, so no one can sign in with it. Set AUTH_<PROVIDER>_ID and AUTH_<PROVIDER>_SECRET.',
}

/** The warnings of the library. */
export type WarningCode = keyof typeof cureOf
