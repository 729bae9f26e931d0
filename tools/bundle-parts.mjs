/**
 * What is put together first, since applications need it together: what every session check needs, and
 * what one needs now and then. Bundlers make a file, and a note of how to load it, for each.
 */
export const PARTS = {
  '@siteauth/core': {
    tokens: ['lib/crypto/jwe', 'lib/http/find-session-cookie', 'lib/http/request-headers'],
    'crypto-node': ['lib/crypto/node-cbc'],
    web: ['lib/crypto/web'],
    sessions: [
      'lib/config/resolution/load-config',
      'lib/config/resolved-config',
      'lib/principal/check-session',
    ],
    auth: ['lib/api/create-auth', 'lib/compat/auth-request'],
    paths: ['lib/config/site-address', 'lib/http/parse-path'],
    jwt: ['lib/session/jwt/jwt'],
    errors: ['lib/base/errors'],
    index: ['index'],
    // What frameworks need of a request. Apart from the next, so that they do not load that as well.
    request: [
      'lib/flows/request/endpoint-url',
      'lib/http/cookie-text',
      'lib/http/client-connection',
      'lib/http/origin',
    ],
    // Of passwords, the part that a configuration is completed with.
    'password-defaults': ['lib/passwords/password-defaults'],
    // What an adapter needs: the name of a revoked user.
    'revocation-key': ['lib/revocation/keys/key-text'],
    // Completing a configuration does not need the rest of upkeep, nor upkeep the rest of that.
    renewal: { common: ['upkeep', 'config'] },
    upkeep: [
      'lib/session/jwt/jwt-renewal',
      'lib/session/jwt/log-unopened',
      'lib/revocation/revocation-view',
      'lib/principal/session-error',
      'lib/http/write-session-cookie',
      'lib/crypto/foreign-token',
      'lib/crypto/seal-token',
      'lib/base/logger',
      'lib/config/site-address',
    ],
    config: ['lib/config/resolution/resolve-config'],
    'create-integration': ['lib/integration/create-integration'],
    // Of the providers, the one thing that finishing a sign-in needs: the rest of them leads to passkeys.
    template: ['lib/providers/template'],
    sealing: ['lib/crypto/node-cbc-seal', 'lib/crypto/node-gcm'],
  },
}
