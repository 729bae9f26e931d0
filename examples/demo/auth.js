import { SqliteAdapter } from '@siteauth/adapters/sqlite'
import Credentials from '@siteauth/core/providers/credentials'
import Nodemailer from '@siteauth/core/providers/nodemailer'
import Passkey from '@siteauth/core/providers/passkey'
import { checkPassword } from './people.js'
import { tellDesk } from './tell-desk.js'

const { DEMO_DATABASE, DEMO_DESK, DEMO_ISSUER, DEMO_SMTP } = process.env

const adapter = SqliteAdapter({ file: DEMO_DATABASE ?? ':memory:' })

/**
 * Two configurations that differ in where sessions are kept. Both applications use them.
 *
 * @param {string} app the name of the application, for the list of events
 * @returns {Record<'sqlite' | 'cookie', import('@siteauth/core').AuthConfig>}
 */
export function configure(app) {
  const sqlite = {
    adapter, // users, passkeys and links; and sessions, where nothing else is said
    providers: [
      {
        id: 'example',
        name: 'Example',
        type: 'oidc',
        issuer: DEMO_ISSUER,
        clientId: 'demo',
        clientSecret: 'shared-by-the-demo-and-its-provider',
        style: { brandColor: '#0f766e' },
        authorization: { params: { scope: 'openid email profile', prompt: 'login' } },
      },
      Passkey(),
      Nodemailer({ server: DEMO_SMTP, from: 'SiteAuth demo <demo@example.com>' }),
      Credentials({
        name: 'Password',
        credentials: {
          email: { label: 'Email', type: 'email', placeholder: 'ada@example.com' },
          password: { label: 'Password', type: 'password', placeholder: 'open sesame' },
        },
        authorize: ({ email, password }) => checkPassword(adapter, email, password),
      }),
    ],
    experimental: { enableWebAuthn: true },
    theme: { brandColor: '#4f46e5', logo: `${DEMO_DESK}/logo.svg` },
    trustHost: true, // on your own machine; elsewhere set AUTH_URL
    events: {
      signIn: ({ user, account }) =>
        tellDesk(app, 'signIn', `${user.email} by ${account?.provider}`),
      signOut: () => tellDesk(app, 'signOut', 'The session is over'),
      createUser: ({ user }) => tellDesk(app, 'createUser', `${user.email} is new here`),
      updateUser: ({ user }) => tellDesk(app, 'updateUser', `${user.email} has a verified address`),
      linkAccount: ({ user, account }) =>
        tellDesk(app, 'linkAccount', `${account.provider} now belongs to ${user.email}`),
      emailClaimed: ({ email }) =>
        tellDesk(app, 'emailClaimed', `${email} was proved by its owner`),
    },
  }
  const cookie = {
    ...sqlite,
    session: { strategy: 'jwt', track: true }, // so that they can be listed; rows always can
    cookies: { sessionToken: { name: 'demo.session-in-cookie' } }, // so that both can be kept
  }
  return { sqlite, cookie }
}
