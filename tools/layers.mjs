/**
 * The layers of core's sources, lowest first: folders, or single files. Folders of one layer know nothing of each other,
 * unless they are parts of one feature, which are in order as well. `tools/check-layers.mjs` holds imports against this, and
 * `tools/layers-table.mjs` writes it into ARCHITECTURE.md.
 */
export const LAYERS = [
  { features: ['lib/base'], says: 'types and errors that all others share' },
  {
    features: ['lib/branding', 'lib/branding/logos', 'lib/translations'],
    says: 'theme, logos, messages',
  },
  {
    features: ['lib/crypto', inOrder(['lib/http/hosts'], ['lib/http'])],
    says: 'keys and sealed tokens; requests and responses',
  },
  {
    features: [inOrder(['lib/providers/messages'], ['lib/providers'])],
    says: 'the kinds of provider',
  },
  {
    features: [
      inOrder(
        ['lib/session'],
        ['lib/session/jwt', 'lib/session/database'],
        ['lib/session/hashing', 'lib/session/rejecting'],
      ),
      inOrder(
        ['lib/oauth'],
        ['lib/oauth/provider'],
        ['lib/oauth/authorization', 'lib/oauth/id-token'],
        ['lib/oauth/token'],
        ['lib/oauth/profile', 'lib/oauth/logout'],
      ),
      inOrder(['lib/pages/shared'], ['lib/pages']),
      'lib/account',
      'lib/tokens',
      'lib/email',
      'lib/webauthn',
      'lib/csrf',
      'lib/limits',
      'lib/passwords',
      'lib/node',
    ],
    says: 'capabilities, which know nothing of each other',
  },
  {
    features: [inOrder(['lib/revocation/keys'], ['lib/revocation']), 'lib/devices'],
    says: "revoked sessions, and the list of a user's sessions",
  },
  {
    features: [inOrder(['lib/config'], ['lib/config/validation'], ['lib/config/resolution'])],
    says: 'options in, resolved configuration out',
  },
  { features: ['lib/principal'], says: 'who sent a request' },
  {
    features: [
      inOrder(
        ['lib/flows/request', 'lib/flows/provider'],
        ['lib/flows/cookies'],
        ['lib/flows/limits', 'lib/flows/account'],
        ['lib/flows/sign-in', 'lib/flows/sign-out'],
        [
          'lib/flows/oauth',
          'lib/flows/email',
          'lib/flows/password',
          'lib/flows/passkey',
          'lib/flows/session',
        ],
        ['lib/flows/page'],
      ),
    ],
    says: 'a folder for each thing that a visitor does',
  },
  { features: ['lib/endpoints'], says: 'the HTTP surface: routes, failures as responses' },
  { features: ['lib/api'], says: 'createAuth, and the list of calls' },
  { features: ['lib/integration'], says: 'one instance in a framework' },
  { features: ['lib/compat'], says: 'what exists for Auth.js alone' },
  { features: ['.', 'internal', 'providers'], says: 'public entries, names only' },
]

/** The parts of one feature, the lowest first. */
function inOrder(...steps) {
  return { steps }
}
