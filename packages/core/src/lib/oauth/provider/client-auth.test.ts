import * as jose from 'jose'
import type * as oauth from 'oauth4webapi'
import { describe, expect, it } from 'vitest'
import { type ClientFacts, clientAuthFor } from './client-auth.ts'

const facts: ClientFacts = {
  clientId: 'cid',
  clientSecret: 'c s:/é',
  clientIdParam: 'client_id',
  method: undefined,
  privateKey: undefined,
}
const server: oauth.AuthorizationServer = { issuer: 'https://op.test' }

async function request(over: Partial<ClientFacts>, supported?: string[], clientId = 'cid') {
  const body = new URLSearchParams()
  const headers = new Headers()
  const client = { client_id: clientId }
  const authenticate = clientAuthFor({ ...facts, ...over }, supported)
  await authenticate({ metadata: server, client, body, headers, now: Date.now() })
  return { authorization: headers.get('authorization'), body: Object.fromEntries(body) }
}

describe('a client authenticates', () => {
  it('by basic, and nothing of it is in the body', async () => {
    expect(await request({})).toEqual({
      authorization: 'Basic Y2lkOmMrcyUzQSUyRiVDMyVBOQ==',
      body: {},
    })
  })

  it('by basic with ids as servers know them that do not decode', async () => {
    const { authorization } = await request(
      { clientSecret: "a-b_c.d~e!f*g'(h)" },
      undefined,
      'Iv1.a-b',
    )
    expect(atob(authorization?.slice(6) ?? '')).toBe("Iv1.a-b:a-b_c.d~e!f*g'(h)")
  })

  it('by post', async () => {
    expect(await request({ method: 'client_secret_post' })).toEqual({
      authorization: null,
      body: { client_id: 'cid', client_secret: 'c s:/é' },
    })
  })

  it('by post where nothing is configured and the server does not take basic', async () => {
    const { body } = await request({}, ['private_key_jwt', 'client_secret_post'])
    expect(body).toHaveProperty('client_secret')
    expect((await request({}, ['private_key_jwt'])).authorization).toMatch(/^Basic/)
    expect((await request({ method: 'client_secret_basic' }, ['client_secret_post'])).body).toEqual(
      {},
    )
  })

  it('not at all where it is public', async () => {
    expect(await request({ method: 'none', clientSecret: undefined })).toEqual({
      authorization: null,
      body: { client_id: 'cid' },
    })
  })

  it('by an assertion that is signed with the secret', async () => {
    const { body } = await request({ method: 'client_secret_jwt' })
    const key = new TextEncoder().encode('c s:/é')
    const { payload } = await jose.jwtVerify(body['client_assertion'] ?? '', key)
    expect(payload).toMatchObject({ iss: 'cid', sub: 'cid', aud: 'https://op.test' })
  })

  it('by an assertion that is signed with a key: short-lived, unique, for the issuer alone', async () => {
    const { publicKey, privateKey } = await jose.generateKeyPair('ES256')
    const over = { method: 'private_key_jwt', privateKey: { key: privateKey, kid: 'k1' } }
    const [one, two] = await Promise.all([request(over), request(over)])
    const { payload, protectedHeader } = await jose.jwtVerify(
      one.body['client_assertion'] ?? '',
      publicKey,
    )
    expect(protectedHeader).toMatchObject({ alg: 'ES256', kid: 'k1' })
    expect(payload).toMatchObject({ iss: 'cid', sub: 'cid', aud: 'https://op.test' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(60)
    expect(two.body['client_assertion']).not.toBe(one.body['client_assertion'])
    expect(one.body).not.toHaveProperty('client_secret')
  })

  it('under the name that the provider uses for the client id', async () => {
    const { body } = await request({ method: 'client_secret_post', clientIdParam: 'client_key' })
    expect(body).toEqual({ client_key: 'cid', client_secret: 'c s:/é' })
  })
})
