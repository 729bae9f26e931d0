import { generateKeyPairSync, randomBytes } from 'node:crypto'
import express from 'express'
import { html } from '../window/html.js'
import { plainPage } from '../window/plain-page.js'

/**
 * "Example": an OpenID Provider that trusts everyone. In real life it would be Google or your company.
 *
 * @param {string} issuer
 * @param {string[]} redirectUris
 */
export async function createIdentityProvider(issuer, redirectUris) {
  const provider = await quietly(async () => {
    const { Provider } = await import('oidc-provider')
    return new Provider(issuer, settings(redirectUris))
  })
  const app = express()
  app.disable('x-powered-by')

  app.get('/hello/:uid', async (req, res) => {
    const { params } = await provider.interactionDetails(req, res)
    res.send(String(loginPage(req.params.uid, params.client_id)))
  })

  app.post('/hello/:uid', express.urlencoded({ extended: false }), async (req, res) => {
    const accountId =
      String(req.body.login)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]/g, '') || 'grace'
    await provider.interactionFinished(req, res, { login: { accountId } })
  })

  app.get('/hello/:uid/cancel', async (req, res) => {
    await provider.interactionFinished(req, res, { error: 'access_denied' })
  })

  app.use(provider.callback())
  return app
}

function settings(redirectUris) {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  return {
    clients: [
      {
        client_id: 'demo',
        client_secret: 'shared-by-the-demo-and-its-provider',
        redirect_uris: redirectUris,
      },
    ],
    jwks: { keys: [{ ...key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'demo' }] },
    cookies: { keys: [randomBytes(32).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: false,
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: id[0].toUpperCase() + id.slice(1),
        email: `${id}@provider.example`,
        email_verified: true,
      }),
    }),
    // Whoever signs in here agrees; a real provider asks once more.
    async loadExistingGrant({ oidc }) {
      const { clientId } = oidc.client
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    interactions: { url: (_context, { uid }) => `/hello/${uid}` },
    features: { devInteractions: { enabled: false } },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  }
}

function loginPage(uid, client) {
  return plainPage(
    'Example',
    html`<div class="card narrow">
      <span class="letter" aria-hidden="true">E</span>
      <h1>Example</h1>
      <p class="quiet">This is another site: an OpenID Provider that trusts everyone. It will tell
        “${client}” your name and address.</p>
      <form method="post" action="/hello/${uid}">
        <label for="login">Your name</label>
        <input id="login" name="login" value="grace" autocomplete="off" required />
        <button>Continue</button>
      </form>
      <a class="quiet" href="/hello/${uid}/cancel">Cancel</a>
    </div>`,
  )
}

/** It says on the console that it is no server for production. Here that is wanted. */
async function quietly(start) {
  const { info, warn } = console
  console.info = console.warn = () => {}
  try {
    return await start()
  } finally {
    Object.assign(console, { info, warn })
  }
}
