import { createHash } from 'node:crypto'
import * as jose from 'jose'
import { describe, expect, it } from 'vitest'
import { OAuthCallbackError } from '../../src/lib/base/errors.ts'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from './fake-server.ts'
import { createRelyingParty } from './relying-party.ts'

const NOW = Date.UTC(2030, 0, 1)
const SECONDS = NOW / 1000
/** How far two clocks may differ, in seconds. */
const TOLERANCE = 15
const DAY = 86_400

type Change = (claims: Record<string, unknown>) => Record<string, unknown>

/** Signs Ada in by a token whose claims were changed. Answers her id, or why the token was refused. */
async function signIn(change: Change, header: Partial<jose.JWTHeaderParameters> = {}) {
  const op = await createFakeServer({ now: () => NOW })
  op.faults.claims = change
  op.faults.header = given => ({ ...given, ...header })
  const rp = createRelyingParty(
    {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: op.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    },
    { fetch: op.fetch, now: () => NOW },
  )
  try {
    const { account } = await rp.finish(op.authorize(await rp.start()))
    return account.providerAccountId
  } catch (error) {
    if (!(error instanceof OAuthCallbackError)) throw error
    return error
  }
}

const changed = (change: Record<string, unknown>) => signIn(claims => ({ ...claims, ...change }))

describe('the times of an id_token', () => {
  it.each([
    ['now', SECONDS],
    ['by a clock that is ahead', SECONDS + TOLERANCE],
    ['a day ago', SECONDS - DAY],
  ])('say that it was issued %s, and it is accepted', async (_, iat) => {
    expect(await changed({ iat })).toBe('ada')
  })

  it.each([
    ['in the future', SECONDS + TOLERANCE + 1, 'set the clock of this server'],
    ['more than a day ago', SECONDS - DAY - 1, 'a time within the last day'],
  ])('say that it was issued %s, and it is refused', async (_, iat, expected) => {
    expect(await changed({ iat })).toMatchObject({
      message: expect.stringContaining(expected),
      cause: { claim: 'iat', found: iat },
    })
  })

  it('say that it ends in the year 9999 at the latest', async () => {
    expect(await changed({ exp: 253_402_300_799 })).toBe('ada')
    const exp = 253_402_300_800
    expect(await changed({ exp })).toMatchObject({
      message: expect.stringContaining('expected a time as exp'),
      cause: { claim: 'exp', found: exp },
    })
  })
})

describe('who an id_token is about', () => {
  it('has a name of 1 to 255 characters', async () => {
    expect(await changed({ sub: 'a'.repeat(255) })).toBe('a'.repeat(255))
    for (const sub of ['a'.repeat(256), '   ']) {
      expect(await changed({ sub })).toBeInstanceOf(OAuthCallbackError)
    }
  })

  it('authorized this client', async () => {
    expect(await changed({ azp: CLIENT_ID })).toBe('ada')
    expect(await changed({ azp: 'another' })).toMatchObject({ cause: { claim: 'azp' } })
  })
})

describe('the hash of the access token in an id_token', () => {
  const hashOf = (token: string, hash: string) => {
    const digest = createHash(hash).update(token).digest()
    return digest.subarray(0, digest.length / 2).toString('base64url')
  }

  it('is the first half of its SHA-256', async () => {
    expect(await changed({ at_hash: hashOf('at-ada', 'sha256') })).toBe('ada')
    for (const at_hash of [hashOf('another', 'sha256'), hashOf('at-ada', 'sha512'), '', 7]) {
      expect(await changed({ at_hash })).toMatchObject({ cause: { claim: 'at_hash' } })
    }
  })

  it.each([
    ['ES512', 'sha512'],
    ['Ed25519', 'sha512'],
    ['ES384', 'sha384'],
  ])('is made as the algorithm %s says', async (alg, hash) => {
    const op = await createFakeServer({ now: () => NOW })
    const { privateKey, publicKey } = await jose.generateKeyPair(alg)
    const jwk = { ...(await jose.exportJWK(publicKey)), kid: 'own', alg, use: 'sig' }
    op.faults.metadata = document => ({
      ...document,
      id_token_signing_alg_values_supported: [alg],
    })
    op.faults.answer = path => (path === '/jwks' ? Response.json({ keys: [jwk] }) : undefined)
    let at_hash = hashOf('at-ada', hash)
    op.faults.idToken = claims =>
      new jose.SignJWT({ ...claims, at_hash })
        .setProtectedHeader({ alg, kid: 'own' })
        .sign(privateKey)
    const config = {
      id: 'op',
      name: 'OP',
      type: 'oidc',
      issuer: op.issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      client: { id_token_signed_response_alg: alg },
    } as const
    const rp = createRelyingParty(config, { fetch: op.fetch, now: () => NOW })
    const { account } = await rp.finish(op.authorize(await rp.start()))
    expect(account.providerAccountId).toBe('ada')
    at_hash = hashOf('at-ada', 'sha256')
    await expect(rp.finish(op.authorize(await rp.start()))).rejects.toMatchObject({
      cause: { claim: 'at_hash' },
    })
  })
})
