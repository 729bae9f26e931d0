/** Differences that are meant, and the line of `docs/differences.md` that says why. */
export interface Expectation {
  /** The id of the line. */
  readonly line: string
  /** Which scenarios show it. `*` stands for any text; each of these must show it. */
  readonly scenarios: readonly string[]
  /** What differs there. Each of these must do so somewhere. */
  readonly fields: readonly string[]
  /** Lists only what we do, where the rest would say how to attack what is still in use. */
  readonly oursOnly?: true
}

/** The first that matches explains a difference: what is found everywhere stands before the rest. */
export const EXPECTED_DIFFERENCES: readonly Expectation[] = [
  // Found everywhere.
  {
    line: 'safe-headers',
    scenarios: ['*'],
    fields: ['header x-content-type-options', 'header referrer-policy', 'caching'],
  },
  {
    line: 'page-headers',
    scenarios: ['*'],
    fields: ['header content-security-policy', 'header x-frame-options'],
  },

  { line: 'change-marker', scenarios: ['*'], fields: ['cookie siteauth.changed'] },
  { line: 'planted-session', scenarios: ['*'], fields: ['cookie siteauth.bound'] },
  { line: 'typed-again', scenarios: ['*'], fields: ['cookie authjs.sign-in-form'] },
  {
    line: 'signed-in-already',
    scenarios: ['signin/page for somebody signed in'],
    fields: ['forms', 'links', 'calls', 'arguments of events.session'],
  },

  // Requests that are no good.
  {
    line: 'not-found',
    scenarios: [
      'path/GET /auth',
      'path/GET /auth/',
      'path/GET /auth/session/x',
      'path/GET /auth/csrf/x',
      'path/GET /auth/signin/credentials/x',
      'path/GET /auth/nothing',
      'path/GET /auth/SESSION',
      'path/GET /auth/%73ession',
      'path/GET /auth/constructor',
      'path/GET /other/session',
      'path/GET /',
      'path/GET /auth/webauthn-options*',
      'path/GET /auth/session with base path /api/auth',
      'path/POST /auth/nothing',
      'path/in client mode',
      'path/no endpoint, asked for by a browser',
      'configuration/wrong/no endpoint',
      'signout/with something behind it',
      'signin/*unknown provider',
      'credentials/unknown provider',
      'credentials/unknown provider, client mode',
      'credentials/*no provider',
    ],
    fields: ['status', 'location', 'content-type', 'body', 'page', 'links', 'errors'],
  },
  {
    line: 'wrong-method',
    scenarios: [
      'csrf/POST',
      'providers/POST',
      'error/POST',
      'verify-request/POST',
      'signin/GET with a provider',
      'credentials/GET',
      'credentials/GET, client mode',
      'path/PUT *',
      'path/DELETE *',
      'path/PATCH *',
      'path/OPTIONS *',
      'path/HEAD /auth/callback/credentials',
      'email/open/HEAD',
    ],
    fields: ['status', 'location', 'content-type', 'body', 'errors', 'header allow'],
  },
  {
    line: 'head',
    scenarios: ['*/HEAD', 'path/HEAD *'],
    fields: [
      'status',
      'content-type',
      'body',
      'errors',
      'calls',
      'arguments of events.session',
      'cookie *',
    ],
  },
  {
    line: 'path-exact',
    scenarios: ['path/GET /authsession', 'path/GET /axb/session with base path /a.b'],
    fields: ['status', 'body', 'cookie *'],
    oursOnly: true,
  },
  {
    line: 'base-path-slashes',
    scenarios: [
      'path/GET /* with base path /',
      'path/GET /api/auth/providers with base path /api/auth/',
      'createActionURL/host, base path is the root',
      'createActionURL/URL with path, base path is the root',
      'createActionURL/URL with slash at the end',
    ],
    fields: ['body', 'forms', 'result', 'warnings'],
  },
  {
    line: 'provider-ids-encoded',
    scenarios: ['path/id with percent signs', 'path/list of ids with percent signs'],
    fields: ['*'],
  },
  {
    line: 'bad-body',
    scenarios: [
      'body/malformed JSON',
      'body/malformed JSON, client mode',
      'body/malformed JSON by a browser',
      'body/malformed JSON to update the session',
      'body/JSON that is null',
      'body/JSON that is no object',
      'body/JSON that is empty',
    ],
    fields: ['status', 'location', 'content-type', 'body', 'page', 'links', 'errors'],
  },
  { line: 'body-limit', scenarios: ['body/very large'], fields: ['*'] },
  {
    line: 'body-types',
    scenarios: ['body/multipart', 'body/JSON in capitals'],
    fields: ['*'],
  },
  {
    line: 'raw-throws',
    scenarios: [
      'path/in raw mode',
      'body/malformed JSON, raw mode',
      'credentials/unknown provider, raw mode',
      'configuration/wrong/GET session in raw mode',
    ],
    fields: ['status', 'location', 'content-type', 'body', 'errors', 'thrown'],
  },

  // Cookies.
  {
    line: 'csrf-newest-secret',
    scenarios: [
      'csrf/with two secrets',
      'csrf/use/secrets rotated: made with the secret that is now second',
      'csrf/use/made with the newest of two secrets',
    ],
    fields: ['location', 'errors', 'cookie authjs.csrf-token'],
  },
  {
    line: 'cookies-when-needed',
    scenarios: [
      'session/*',
      'csrf/*',
      'signin/*',
      'signout/*',
      'error/*',
      'verify-request/*',
      'credentials/*',
      'sign-out/*',
      'path/*',
      'body/*',
      'origin/*',
      'cookie header/*',
      'configuration/*',
      'database/*',
      'oauth/*',
      'email/*',
    ],
    fields: ['cookie authjs.callback-url', 'cookie authjs.csrf-token'],
  },
  {
    line: 'chunk-names',
    scenarios: [
      'session/beside a cookie whose name starts the same',
      'session/whole, with chunks left over',
      'sign-out/beside a cookie whose name starts the same',
      'cookie header/two of one name',
    ],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'foreign-origin',
    scenarios: [
      'csrf/use/from a page of another origin',
      'csrf/use/from another site, says the browser',
      'csrf/use/from the same site, says the browser',
    ],
    fields: ['location', 'errors'],
    oursOnly: true,
  },

  // Sessions.
  {
    line: 'unknown-is-not-signed-out',
    scenarios: [
      'session/*jwt throws',
      'session/*session throws',
      'database/*callback throws',
      'database/*getSessionAndUser throws',
      'database/updateSession throws',
      'database/deleteSession throws',
    ],
    fields: ['status', 'body', 'cookie authjs.session-token'],
  },
  {
    line: 'undefined-is-a-mistake',
    scenarios: [
      'session/jwt answers undefined',
      'session/session answers undefined',
      'database/session callback answers undefined',
      'credentials/jwt answers undefined*',
    ],
    fields: ['*'],
  },
  {
    line: 'shorter-lifetime',
    scenarios: [
      'session/own lifetime of the token',
      'credentials/ok with another lifetime of the token',
    ],
    fields: ['body', 'calls', 'arguments of events.session', 'cookie authjs.session-token'],
  },
  {
    line: 'undefined-is-absent',
    scenarios: ['session/explicit undefined options', 'credentials/signIn is undefined'],
    fields: ['*'],
  },
  {
    line: 'session-renewal',
    scenarios: [
      'session/*',
      'database/*',
      'configuration/one secret in a list',
      'configuration/cookies/own name, read',
    ],
    fields: ['cookie authjs.session-token', 'cookie sid'],
  },
  {
    line: 'session-end',
    scenarios: ['session/an hour old', 'session/short lived'],
    fields: ['body', 'arguments of events.session'],
  },
  {
    line: 'session-end',
    scenarios: ['database/due', 'database/session callback, due', 'database/update, due'],
    fields: ['body', 'arguments of callbacks.session', 'arguments of events.session'],
  },
  {
    line: 'session-token-hidden',
    scenarios: ['database/session callback', 'database/update', 'database/update without data'],
    fields: ['body', 'arguments of callbacks.session', 'arguments of events.session'],
    oursOnly: true,
  },
  {
    line: 'end-reached',
    scenarios: ['database/expires this very moment'],
    fields: ['*'],
  },
  {
    line: 'update-parameters',
    scenarios: ['session/update/*'],
    fields: ['arguments of callbacks.session'],
  },
  {
    line: 'no-session-no-event',
    scenarios: ['session/session answers null'],
    fields: ['calls', 'arguments of events.session'],
  },
  {
    line: 'expired-is-no-error',
    scenarios: [
      'session/expired',
      'session/expired sixteen seconds ago',
      'session/update/of an expired session',
    ],
    fields: ['errors'],
  },
  {
    line: 'sign-out-event',
    scenarios: ['sign-out/expired session', 'sign-out/garbage', 'sign-out/chunked'],
    fields: ['errors', 'calls', 'arguments of events.signOut'],
  },
  {
    line: 'logged-once',
    scenarios: [
      'database/*getSessionAndUser throws',
      'database/updateSession throws',
      'database/deleteSession throws',
      'database/sign-out, deleteSession throws',
      'oauth/finish/adapter: createUser throws',
      'oauth/finish/adapter: linkAccount throws',
      'email/*/the store is down',
    ],
    fields: ['errors'],
  },
  {
    line: 'sign-out-that-fails',
    scenarios: ['database/sign-out, deleteSession throws'],
    fields: ['location'],
  },
  { line: 'class-adapters', scenarios: ['database/adapter of a class'], fields: ['*'] },
  {
    line: 'credentials-with-database',
    scenarios: [
      'database/sign-in with credentials',
      'database/sign-in with credentials, createSession throws',
      'database/only credentials, explicitly database',
      'configuration/database sessions without adapter',
    ],
    fields: ['*'],
  },

  // Signing in, and where to go next.
  {
    line: 'return-url-replaced',
    scenarios: [
      'signin/page with backslashes to return to',
      'signin/page with nonsense to return to',
      'signin/page with a script to return to',
      'signin/page with nonsense in the cookie',
      'credentials/ok with nonsense to return to',
      'sign-out/ok with nonsense to return to',
      'configuration/callback URL in the *',
      'cookie header/broken percent sign',
      'cookie header/quotes',
    ],
    fields: ['*'],
  },
  {
    line: 'redirect-when-needed',
    scenarios: ['session/redirect callback'],
    fields: ['calls', 'arguments of callbacks.redirect'],
  },
  {
    line: 'sign-in-answers-url',
    scenarios: [
      'credentials/signIn answers a foreign URL*',
      'credentials/signIn answers a path, with a redirect callback',
    ],
    fields: ['location', 'body', 'calls', 'arguments of callbacks.redirect'],
  },
  {
    line: 'sign-in-answers',
    scenarios: ['credentials/signIn answers an object'],
    fields: ['*'],
  },
  {
    line: 'authorize-request',
    scenarios: ['credentials/*', 'body/*'],
    fields: ['request of authorize'],
  },
  { line: 'user-unchanged', scenarios: ['credentials/frozen user'], fields: ['*'] },
  {
    line: 'errors-across-copies',
    scenarios: ['credentials/authorize throws an error of the other copy'],
    fields: ['location', 'errors'],
  },
  {
    line: 'invalid-check-visible',
    scenarios: [
      'credentials/authorize throws an InvalidCheck',
      'errors/InvalidCheck',
      'errors/EmailSignInError',
    ],
    fields: ['location', 'may be seen'],
  },
  {
    line: 'own-page-addresses',
    scenarios: [
      'credentials/authorize answers null, own page with a query',
      'credentials/authorize answers null, own page elsewhere',
      'error/own page',
      'error/own page for something odd',
      'verify-request/own page with a query',
    ],
    fields: ['location'],
  },
  {
    line: 'absolute-redirects',
    scenarios: [
      'signin/own page*',
      'signout/own page*',
      'error/own page*',
      'verify-request/own page*',
      'oauth/finish/with a page for new users',
      'email/open/somebody new, with a page for that',
    ],
    fields: ['location', 'body'],
  },

  { line: 'own-sign-in-page', scenarios: ['signin/POST with own page'], fields: ['location'] },

  {
    line: 'client-mode-failures',
    scenarios: ['credentials/*, client mode', 'sign-out/*, client mode', 'signin/* in client mode'],
    fields: ['location'],
  },
  { line: 'raw-status', scenarios: ['*, raw mode'], fields: ['status'] },

  // Providers.
  {
    line: 'reserved-parameters',
    scenarios: [
      "oauth/start/the visitor's parameters that are ours",
      "oauth/start/the visitor's parameters that are configured",
      "oauth/start/the visitor's wider scope",
    ],
    fields: ['location'],
    oursOnly: true,
  },
  {
    line: 'no-default-scope',
    scenarios: ['oauth/start/OAuth without scope'],
    fields: ['location'],
  },
  {
    line: 'state-pkce-nonce',
    scenarios: [
      'oauth/start/OIDC',
      'oauth/start/OAuth',
      'oauth/start/in client mode',
      'oauth/start/checks: state',
      'oauth/start/own parameters',
      "oauth/start/the visitor's parameters",
      "oauth/start/the visitor's narrower scope",
      'oauth/start/form_post',
      'oauth/start/with a redirect proxy',
    ],
    fields: ['location', 'body'],
  },
  {
    line: 'options-replace-lists',
    scenarios: ['oauth/start/checks in options'],
    fields: ['location'],
  },
  {
    line: 'one-cookie-per-attempt',
    scenarios: ['oauth/start/*', 'oauth/finish/*'],
    fields: [
      'cookie authjs.state.<attempt>',
      'cookie authjs.state',
      'cookie authjs.pkce.code_verifier',
    ],
    oursOnly: true,
  },
  {
    line: 'missing-client-id',
    scenarios: ['oauth/start/no client id'],
    fields: ['*'],
  },
  {
    line: 'userinfo-status',
    scenarios: ['oauth/finish/userinfo refuses'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'id-token-signature',
    scenarios: ['oauth/finish/ID token signed by another key'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'profile-needs-id',
    scenarios: ['oauth/finish/profile without id'],
    fields: ['*'],
  },
  {
    line: 'invalid-check-visible',
    scenarios: [
      'oauth/finish/cookies lost',
      'oauth/finish/another state',
      'oauth/finish/no state',
      'oauth/finish/twice',
    ],
    fields: ['location', 'errors'],
  },
  {
    line: 'provider-failures',
    scenarios: [
      'oauth/start/discovery fails',
      'oauth/finish/no code',
      'oauth/finish/another issuer',
      'oauth/finish/the token endpoint *',
      'oauth/finish/ID token for somebody else',
      'oauth/finish/ID token of another time',
      'oauth/finish/profile throws',
    ],
    fields: ['location', 'errors'],
  },
  {
    line: 'begun-in-this-browser',
    scenarios: ['oauth/finish/in another browser, which has the cookie of the attempt'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'planted-session',
    scenarios: ['oauth/start/adapter: somebody is signed in since before the swap'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'planted-session',
    scenarios: ['email/open/somebody else is signed in'],
    fields: ['cookie authjs.session-token'],
  },
  {
    line: 'added-by-who-began',
    scenarios: [
      'oauth/finish/adapter: somebody has signed in meanwhile',
      'oauth/finish/adapter: somebody has signed out meanwhile',
    ],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'added-by-who-began',
    scenarios: [
      'oauth/finish/adapter: somebody is signed in',
      'oauth/finish/adapter: somebody is signed in, JWT sessions',
      'oauth/finish/adapter: somebody else is signed in',
    ],
    fields: ['arguments of adapter.getSessionAndUser', 'arguments of adapter.getUser'],
  },
  {
    line: 'added-by-who-began',
    scenarios: [
      'oauth/finish/adapter: somebody is signed in, JWT sessions',
      'oauth/finish/adapter: somebody else is signed in',
    ],
    fields: ['calls'],
  },
  {
    line: 'address-claimed',
    scenarios: [
      'oauth/finish/adapter: the address was never proved until now*',
      'email/open/somebody whose address nobody had proved*',
    ],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'email-proven',
    scenarios: [
      'oauth/finish/adapter: the address is taken, linking allowed, nobody vouches for it',
    ],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'vouched-is-proven',
    scenarios: [
      'oauth/finish/adapter: somebody new, the provider vouches for the address',
      'oauth/finish/adapter: somebody known, the provider vouches for the address',
    ],
    fields: ['calls', 'arguments of adapter.updateUser', 'arguments of events.*'],
  },
  {
    line: 'decided-anew',
    scenarios: [
      'oauth/finish/adapter: createUser throws',
      'oauth/finish/adapter: linkAccount throws',
    ],
    fields: ['calls', 'arguments of adapter.getUserByEmail'],
  },
  {
    line: 'discovered-once',
    scenarios: ['oauth/finish/*'],
    fields: ['requests to the provider'],
  },
  {
    line: 'expired-is-nobody',
    scenarios: ['oauth/finish/adapter: somebody was signed in, long ago'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'proof-told',
    scenarios: ['oauth/finish/adapter: *', 'oauth/finish/with a page for new users', 'email/*'],
    fields: ['arguments of callbacks.signIn', 'arguments of callbacks.jwt'],
  },
  {
    line: 'account-has-its-user',
    scenarios: ['oauth/finish/adapter: *', 'oauth/finish/with a page for new users'],
    fields: ['arguments of events.signIn'],
  },
  {
    line: 'session-replaced',
    scenarios: ['oauth/finish/adapter: somebody is signed in'],
    fields: ['calls', 'arguments of adapter.*', 'cookie authjs.session-token'],
  },
  {
    line: 'session-replaced',
    scenarios: [
      'database/unknown',
      'database/the cookie holds a JWT',
      'database/sign-out',
      'database/deleteSession throws',
      'database/sign-out, deleteSession throws',
      'database/sign-out, unknown',
      'database/sign-out, deleteSession answers nothing',
      'email/open/somebody else is signed in',
    ],
    fields: [
      'calls',
      'arguments of adapter.getSessionAndUser',
      'arguments of adapter.createSession',
    ],
  },
  {
    line: 'create-user-event',
    scenarios: ['oauth/finish/adapter: the address is taken, linking allowed'],
    fields: ['calls', 'arguments of events.createUser'],
  },
  {
    line: 'account-looked-up-once',
    scenarios: ['oauth/finish/adapter: *', 'oauth/finish/with a page for new users'],
    fields: ['calls', 'arguments of adapter.getUserByAccount'],
  },
  {
    line: 'link-account-event',
    scenarios: ['oauth/finish/*'],
    fields: ['arguments of events.linkAccount'],
  },
  {
    line: 'derived-user-id',
    scenarios: ['oauth/finish/*'],
    fields: [
      'arguments of callbacks.signIn',
      'arguments of callbacks.jwt',
      'arguments of events.signIn',
      'cookie authjs.session-token',
    ],
  },

  // Links by email.
  {
    line: 'link-opens-a-page',
    scenarios: ['email/open/ok', 'email/open/ok without the page, in another browser'],
    fields: ['*'],
  },
  {
    line: 'email-form-token',
    scenarios: ['email/open/a form without CSRF token'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'asked-in-this-browser',
    scenarios: ['email/start/*', 'email/open/*'],
    fields: ['cookie authjs.email-request'],
  },
  {
    line: 'proved-once',
    scenarios: ['email/open/ok*', 'email/open/somebody else is signed in', 'email/open/twice'],
    fields: [
      'calls',
      'arguments of adapter.updateUser',
      'arguments of events.updateUser',
      'arguments of events.signIn',
    ],
  },
  {
    line: 'email-failures',
    scenarios: [
      'email/start/no address',
      'email/start/no such address',
      'email/start/two addresses',
      'email/start/own way to read addresses refuses',
      'email/start/the message cannot be sent',
      'email/open/no token',
    ],
    fields: ['location', 'errors'],
  },
  {
    line: 'link-of-provider',
    scenarios: ['email/open/another token', 'email/open/another address'],
    fields: ['arguments of adapter.useVerificationToken'],
  },
  {
    line: 'email-stored-first',
    scenarios: ['email/*'],
    fields: ['calls', 'arguments of sendVerificationRequest'],
  },
  {
    line: 'account-looked-up-once',
    scenarios: ['email/open/*'],
    fields: ['arguments of adapter.getUserByEmail'],
  },

  // The pages of the library.
  {
    line: 'page-query',
    scenarios: ['signin/page with odd parameters'],
    fields: ['*'],
    oursOnly: true,
  },
  {
    line: 'page-headers',
    scenarios: [
      'signin/*',
      'signout/*',
      'error/*',
      'verify-request/*',
      'path/*',
      'configuration/*',
    ],
    fields: ['content-type'],
  },
  {
    line: 'return-url-in-forms',
    scenarios: ['signin/*', 'signout/*', 'path/*', 'configuration/*'],
    fields: ['forms'],
  },
  {
    line: 'no-remote-images',
    scenarios: ['signin/page with an OAuth provider'],
    fields: ['images'],
  },
  {
    line: 'error-page-links',
    scenarios: ['error/page*', 'configuration/wrong/*'],
    fields: ['links'],
  },
  {
    line: 'way-back',
    scenarios: ['signin/*', 'signout/page*', 'verify-request/page*', 'path/*', 'configuration/*'],
    fields: ['links'],
  },

  // The origin and the environment.
  {
    line: 'one-origin',
    scenarios: [
      'origin/in the Host header',
      'origin/forwarded',
      'origin/forwarded with protocol',
      'origin/cookies of https behind a proxy that speaks http',
    ],
    fields: ['*'],
  },
  {
    line: 'forwarded-lists',
    scenarios: ['origin/forwarded twice', 'createActionURL/forwarded twice'],
    fields: ['*'],
  },
  {
    line: 'host-refused',
    scenarios: [
      'origin/forwarded and malformed',
      'origin/not listed',
      'createActionURL/no host at all',
    ],
    fields: ['*'],
  },
  { line: 'environment-read', scenarios: ['origin/trust not decided'], fields: ['*'] },
  {
    line: 'trust-host-boolean',
    scenarios: ['setEnvDefaults/AUTH_TRUST_HOST=*'],
    fields: ['trustHost'],
  },
  {
    line: 'empty-is-unset',
    scenarios: [
      'setEnvDefaults/URL that is empty',
      'setEnvDefaults/empty URL on Vercel',
      'createActionURL/empty URL and legacy URL',
      'createActionURL/no protocol',
    ],
    fields: ['trustHost', 'result', 'thrown'],
  },
  {
    line: 'url-that-is-none',
    scenarios: ['createActionURL/URL that is none'],
    fields: ['thrown'],
  },
  {
    line: 'url-without-path',
    scenarios: ['setEnvDefaults/URL', 'setEnvDefaults/URL without path, base path configured'],
    fields: ['basePath', 'warnings'],
  },
  {
    line: 'base-path-slashes',
    scenarios: ['setEnvDefaults/URL with slash at the end'],
    fields: ['basePath'],
  },
  {
    line: 'legacy-variables',
    scenarios: ['setEnvDefaults/legacy URL', 'setEnvDefaults/legacy secret'],
    fields: ['basePath', 'secret'],
  },
  {
    line: 'path-prefix',
    scenarios: ['createActionURL/URL with a path that ends with the base path'],
    fields: ['result', 'warnings'],
  },
  // Whether loopback hosts alone are trusted is decided for each request.
  { line: 'loopback-hosts', scenarios: ['setEnvDefaults/production'], fields: ['trustHost'] },
  { line: 'unset-is-production', scenarios: ['setEnvDefaults/*'], fields: ['trustHost'] },
  { line: 'no-secret-is-unset', scenarios: ['setEnvDefaults/*'], fields: ['secret'] },
  {
    line: 'provider-variables',
    scenarios: ['setEnvDefaults/*provider*'],
    fields: ['providers'],
  },

  // Configuration.
  {
    line: 'faults-found-early',
    scenarios: [
      'path/GET /auth/session with base path auth',
      'configuration/an empty secret among others',
      'configuration/negative maxAge',
      'configuration/redirect proxy that is no URL',
      'configuration/page that is no path',
      'configuration/cookies/sessionToken {"name":"bad name"}',
    ],
    fields: ['*'],
  },
  {
    line: 'broken-provider',
    scenarios: [
      'configuration/provider function that throws',
      'configuration/provider that is nothing',
    ],
    fields: ['*'],
  },
  {
    line: 'missing-authorize',
    scenarios: ['configuration/credentials without authorize', 'Credentials/*'],
    fields: ['*'],
  },
  {
    line: 'endpoints-checked',
    scenarios: [
      'configuration/OAuth with endpoints in options',
      'configuration/OAuth with own requests',
      'configuration/OAuth with an endpoint that is no URL',
    ],
    fields: ['*'],
  },
  {
    line: 'repeated-provider-id',
    scenarios: ['providers/two with one id'],
    fields: ['warnings'],
  },
  {
    line: 'webauthn-version',
    scenarios: ['configuration/WebAuthn, odd version'],
    fields: ['status', 'body', 'errors'],
  },
  {
    line: 'all-faults',
    scenarios: [
      'configuration/email, adapter without methods',
      'configuration/WebAuthn*',
      'configuration/wrong/PUT',
    ],
    fields: ['status', 'body', 'errors', 'warnings'],
  },
  {
    line: 'checked-by-itself',
    scenarios: [
      'configuration/no email, after one was seen',
      'configuration/no WebAuthn, after one was seen',
    ],
    fields: ['*'],
  },
  { line: 'short-secret', scenarios: ['configuration/short secret'], fields: ['warnings'] },

  // Tokens and errors.
  {
    line: 'decode-errors',
    scenarios: ['decode/another header'],
    fields: ['thrown'],
  },
  {
    line: 'one-spelling',
    scenarios: ['decode/another spelling of the same tag'],
    fields: ['result', 'thrown'],
  },
  {
    line: 'get-token',
    scenarios: [
      'getToken/bearer in small letters',
      'getToken/Bearer with nothing behind it',
      'getToken/no secrets',
      'getToken/no request',
    ],
    fields: ['result', 'thrown'],
  },
  { line: 'error-messages', scenarios: ['errors/*'], fields: ['message'] },
  { line: 'missing-secret-error', scenarios: ['errors/MissingSecret'], fields: ['name'] },
  { line: 'sign-in-error-type', scenarios: ['errors/SignInError'], fields: ['type'] },
  { line: 'error-causes', scenarios: ['errors/made/*'], fields: ['cause'] },
]
