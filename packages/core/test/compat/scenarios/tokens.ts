import { ANNS_CLAIMS, issuedToken, NOW, OLD_SECRET, SECRET } from '../fixtures.ts'
import { type Library, ours, theirs } from '../libraries.ts'
import { attempt, observeOutcome } from '../observe.ts'
import { call, type Scenario } from '../scenario.ts'

const SALT = 'authjs.session-token'
const DAY = 86_400

/** What `decode` makes of a token. */
function decode(
  id: string,
  token: string | undefined | (() => Promise<string>),
  options: { secret?: string | string[]; salt?: string } = {},
): Scenario {
  return call(`decode/${id}`, async ({ jwt }) => {
    const made = typeof token === 'function' ? await token() : token
    return observeOutcome(
      await attempt(() =>
        jwt.decode({
          secret: SECRET,
          salt: SALT,
          ...options,
          ...(made !== undefined && { token: made }),
        }),
      ),
    )
  })
}

/** What comes out of a token that `encode` made. */
function encode(id: string, params: object, secret: string | string[] = SECRET): Scenario {
  return call(`encode/${id}`, async ({ jwt }) => {
    const outcome = await attempt(() =>
      jwt.encode({ token: ANNS_CLAIMS, secret: SECRET, salt: SALT, ...params }),
    )
    if ('thrown' in outcome) return observeOutcome(outcome)
    const token = String(outcome.value)
    const [header = ''] = token.split('.')
    const { salt = SALT } = params as { salt?: string }
    // Each library must be able to read what the other one writes.
    const other = jwt === ours.jwt ? theirs.jwt : ours.jwt
    return {
      header: Buffer.from(header, 'base64url').toString(),
      length: String(token.length),
      ...observeOutcome(await attempt(() => other.decode({ token, secret, salt }))),
    }
  })
}

type GetTokenParams = Parameters<Library['jwt']['getToken']>[0]

/** What `getToken` finds in some headers. */
function getToken(
  id: string,
  headers: (token: string) => Record<string, string>,
  params: Partial<GetTokenParams> | object = {},
): Scenario {
  return call(`getToken/${id}`, async ({ jwt }, { spy }) => {
    const token = await issuedToken(ANNS_CLAIMS, { salt: SALT })
    const req = { headers: headers(token) }
    const { decode: own, ...rest } = params as Partial<GetTokenParams>
    return observeOutcome(
      await attempt(() =>
        jwt.getToken({ req, secret: SECRET, ...rest, ...(own && { decode: spy('decode', own) }) }),
      ),
    )
  })
}

const cookie = (token: string) => ({ cookie: `${SALT}=${token}` })

function withPart(index: number, change: (part: string) => string): () => Promise<string> {
  return async () => {
    const parts = (await issuedToken(ANNS_CLAIMS, { salt: SALT })).split('.')
    parts[index] = change(parts[index] ?? '')
    return parts.join('.')
  }
}

/** The last character of a tag has two bits that mean nothing. */
function respell(part: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return part.slice(0, -1) + alphabet[alphabet.indexOf(part.slice(-1)) + 1]
}

/** A token whose header does not name its key, as only other software writes it. */
const gcm =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..yw-y1FNBl_6VIZSz.g1yvwv7Kzrr45sM5c-o99Om59I6QUXVhhT_I6xTv6vYKk3D5dDzNxxDTU8z6Mq1lCUP6PWv7BoghaQcr9vcG8ns7FiANQ7JkdGXPFHUSWLjXmIHzyYxkdXlCtVY.jSPDOWKk3KPJ2uG1dn1qIQ'

export const tokenScenarios: readonly Scenario[] = [
  encode('defaults', {}),
  encode('nothing', { token: undefined }),
  encode('own lifetime', { maxAge: 60 }),
  encode('lifetime of a fraction', { maxAge: 1.5 }),
  encode('no lifetime', { maxAge: 0 }),
  encode('two secrets', { secret: [SECRET, OLD_SECRET] }),
  encode('two secrets, read with the newest and another', { secret: [SECRET, OLD_SECRET] }, [
    'another',
    SECRET,
  ]),
  encode('empty secret', { secret: '' }),
  encode('no secrets', { secret: [] }),
  encode('empty salt', { salt: '' }),
  encode('claims that are replaced', { token: { iat: 1, exp: 2, jti: 'x', sub: 'u1' } }),
  encode('claims that are kept', { token: { nbf: 1, aud: 'a', nested: { a: [1, null, 'ü'] } } }),
  encode('a claim that is undefined', { token: { a: undefined, sub: 'u1' } }),

  decode('own', () => issuedToken(ANNS_CLAIMS, { salt: SALT })),
  decode('no token', undefined),
  decode('empty token', ''),
  decode('garbage', 'garbage'),
  decode('another salt', () => issuedToken(ANNS_CLAIMS, { salt: 'other' })),
  decode('another secret', () => issuedToken(ANNS_CLAIMS, { salt: SALT, secret: OLD_SECRET })),
  decode(
    'older of two secrets',
    () => issuedToken(ANNS_CLAIMS, { salt: SALT, secret: OLD_SECRET }),
    {
      secret: [SECRET, OLD_SECRET],
    },
  ),
  decode('expired', () => issuedToken(ANNS_CLAIMS, { salt: SALT, age: 31 * DAY })),
  decode('expired 14 seconds ago', () =>
    issuedToken(ANNS_CLAIMS, { salt: SALT, age: 30 * DAY + 14 }),
  ),
  decode('expired 15 seconds ago', () =>
    issuedToken(ANNS_CLAIMS, { salt: SALT, age: 30 * DAY + 15 }),
  ),
  decode('of the future', () => issuedToken(ANNS_CLAIMS, { salt: SALT, age: -DAY })),
  decode('not valid for 15 seconds', () => issuedToken({ nbf: NOW / 1000 + 15 }, { salt: SALT })),
  decode('not valid for 16 seconds', () => issuedToken({ nbf: NOW / 1000 + 16 }, { salt: SALT })),
  decode('A256GCM without key id', gcm, { secret: 'secret' }),
  decode('A256GCM without key id, first of two secrets', gcm, { secret: ['secret', 'x'] }),
  decode('A256GCM without key id, second of two secrets', gcm, { secret: ['x', 'secret'] }),
  decode(
    'another header',
    withPart(0, () => 'e30'),
  ),
  decode(
    'with an encrypted key',
    withPart(1, () => 'AAAA'),
  ),
  decode(
    'another IV',
    withPart(2, part => (part[0] === 'A' ? 'B' : 'A') + part.slice(1)),
  ),
  decode(
    'another ciphertext',
    withPart(3, part => `AAAA${part.slice(4)}`),
  ),
  decode(
    'another tag',
    withPart(4, part => `AAAA${part.slice(4)}`),
  ),
  decode(
    'tag cut off',
    withPart(4, part => `${part.slice(0, 21)}A`),
  ),
  decode('another spelling of the same tag', withPart(4, respell)),
  decode('further part', async () => `${await issuedToken(ANNS_CLAIMS, { salt: SALT })}.x`),

  getToken('cookie', cookie),
  getToken('cookie of another name', token => ({ cookie: `sid=${token}` }), {
    cookieName: 'sid',
    salt: SALT,
  }),
  getToken('cookie of another name, its own salt', token => ({ cookie: `sid=${token}` }), {
    cookieName: 'sid',
  }),
  getToken('secure cookie asked for, plain one sent', cookie, { secureCookie: true }),
  getToken('secure cookie', token => ({ cookie: `__Secure-${SALT}=${token}` }), {
    secureCookie: true,
    salt: SALT,
  }),
  getToken('chunks', token => ({
    cookie: `${SALT}.1=${token.slice(100)}; ${SALT}.0=${token.slice(0, 100)}`,
  })),
  getToken('Bearer', token => ({ authorization: `Bearer ${token}` })),
  getToken('Bearer, percent-encoded', token => ({
    authorization: `Bearer ${token.replaceAll('.', '%2E')}`,
  })),
  getToken('bearer in small letters', token => ({ authorization: `bearer ${token}` })),
  getToken('Bearer with nothing behind it', () => ({ authorization: 'Bearer' }), { raw: true }),
  getToken('Bearer with a broken percent sign', () => ({ authorization: 'Bearer %zz' }), {
    raw: true,
  }),
  getToken('Basic', () => ({ authorization: 'Basic eDp5' })),
  getToken('cookie and Bearer', token => ({ ...cookie(token), authorization: 'Bearer x' })),
  getToken('raw', cookie, { raw: true }),
  getToken('raw, no secret', cookie, { raw: true, secret: undefined }),
  getToken('nothing', () => ({})),
  getToken('nothing, no secret', () => ({}), { secret: undefined }),
  getToken('no secret', cookie, { secret: undefined }),
  getToken('empty secret', cookie, { secret: '' }),
  getToken('no secrets', cookie, { secret: [] }),
  getToken('another secret', cookie, { secret: OLD_SECRET }),
  getToken('two secrets', cookie, { secret: [OLD_SECRET, SECRET] }),
  getToken('another salt', cookie, { salt: 'other' }),
  getToken('own decode', cookie, { decode: () => ({ sub: 'decoded' }) }),
  getToken('own decode throws', cookie, {
    decode: () => {
      throw new Error('no')
    },
  }),
  getToken('garbage', () => cookie('garbage')),
  getToken('no request', () => ({}), { req: undefined }),
  call('getToken/Headers', async ({ jwt }) => {
    const token = await issuedToken(ANNS_CLAIMS, { salt: SALT })
    const req = { headers: new Headers(cookie(token)) }
    return observeOutcome(await attempt(() => jwt.getToken({ req, secret: SECRET })))
  }),
  call('getToken/a Request', async ({ jwt }) => {
    const token = await issuedToken(ANNS_CLAIMS, { salt: SALT })
    const req = new Request('http://localhost/x', { headers: cookie(token) })
    return observeOutcome(await attempt(() => jwt.getToken({ req, secret: SECRET })))
  }),
]
