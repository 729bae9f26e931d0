import { customFetch } from '@siteauth/core'
import { rejectProduction } from '../reject-production.ts'
import { authorize } from './authorize.ts'
import type { FakeProvider, FakeProviderOptions } from './fake-provider.ts'
import { respond } from './provider-endpoints.ts'
import { createProviderState, inSeconds, type ProviderState } from './provider-state.ts'
import { signingKey } from './signing-key.ts'

/**
 * Creates an OpenID provider inside the test: discovery, PKCE, nonce, signed id_tokens, userinfo, refresh
 * tokens that are used once, revocation and logout, and failures on demand. Nothing listens anywhere; for a
 * browser, see {@link startFakeProvider}.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import { Visitor } from '@siteauth/testing'
 * import { createFakeProvider } from '@siteauth/testing/provider'
 * import { expect, it } from 'vitest'
 *
 * it('turns away a token for somebody else', async () => {
 *   const google = await createFakeProvider()
 *   const auth = createAuth({
 *     secret: crypto.randomUUID(),
 *     trustHost: true,
 *     providers: [google.provider({ id: 'google', name: 'Google' })],
 *   })
 *   const visitor = new Visitor(auth.handle)
 *   const started = await visitor.post('/signin/google')
 *   google.fail('wrong-audience')
 *   await visitor.send(google.authorize(started.headers.get('location') ?? '').href)
 *   expect(await visitor.session()).toBeNull()
 * })
 * ```
 */
export async function createFakeProvider(options: FakeProviderOptions = {}): Promise<FakeProvider> {
  rejectProduction('createFakeProvider', options)
  const provider = await createProviderState(options)
  const { issuer, clientId, clientSecret, requests, change } = provider

  async function ask(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.origin !== new URL(issuer).origin) {
      if (options.elsewhere) return options.elsewhere(input, init)
      throw new Error(
        `The fake provider at ${issuer} was asked for ${url.origin}. Pass its fetch to one provider, ` +
          'or say by `elsewhere` who answers for others.',
      )
    }
    const { method, headers } = request
    const seen = { url, method, headers, body: new URLSearchParams(await request.text()) }
    requests.push(seen)
    return respond(provider, seen, request.signal)
  }

  return {
    issuer,
    clientId,
    clientSecret: clientSecret ?? '',
    fetch: ask,
    requests,
    change,
    provider: more => ({
      id: 'fake',
      name: 'Fake',
      type: 'oidc',
      issuer,
      clientId,
      ...(clientSecret === null ? {} : { clientSecret }),
      [customFetch]: ask,
      ...more,
    }),
    fail(failure) {
      provider.failures.push(failure)
    },
    recover() {
      provider.failures = []
    },
    authorize: (url, authorization) => authorize(provider, url, authorization),
    logoutToken: claims => signLogoutToken(provider, claims),
    sign: (claims, header) => provider.key.sign(claims, header),
    publicJwk: () => provider.key.jwk,
    async rotateKeys() {
      provider.keyNumber += 1
      provider.key = await signingKey(provider.algorithm, provider.keyNumber)
    },
  }
}

function signLogoutToken(provider: ProviderState, claims: object): Promise<string> {
  const iat = inSeconds(provider)
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
  const jti = crypto.randomUUID()
  const { issuer: iss, clientId: aud } = provider
  const all = { iss, aud, iat, exp: iat + 120, jti, events, ...claims }
  return provider.key.sign(all, { typ: 'logout+jwt' })
}
