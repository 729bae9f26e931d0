import { encodeHeader, forgeCbc, forgeGcm, forgeJws, keyFor, kidOf } from './forge.ts'

/** A text that must never open, with what is wrong with it. */
export type HostileToken = readonly [what: string, token: string]

/**
 * The JO-MATRIX: everything that made some library accept a token it should not have, or fall over
 * one. Most are sealed with the true key, so that nothing but the named fault can be the reason for
 * refusing them.
 */
export function hostileTokens(
  secret: string,
  purpose: string,
  now: number,
): readonly HostileToken[] {
  const key = keyFor(secret, purpose)
  const shortKey = keyFor(secret, purpose, 32)
  const kid = kidOf(key)
  const iat = Math.floor(now / 1000)
  const claims = { sub: 'mallory', name: 'Mallory', iat, exp: iat + 3600, jti: 'x' }
  const payload = JSON.stringify(claims)
  const header = { alg: 'dir', enc: 'A256CBC-HS512', kid }
  const good = forgeCbc(key, header, payload)
  const [head = '', , iv = '', ciphertext = '', tag = ''] = good.split('.')

  const withHeader = (changes: object) => forgeCbc(key, { ...header, ...changes }, payload)
  const withRawHeader = (raw: unknown) => forgeCbc(key, raw, payload)
  const withPayload = (raw: string | Buffer) => forgeCbc(key, header, raw)
  const withClaims = (changes: object) => withPayload(JSON.stringify({ ...claims, ...changes }))
  const joined = (...parts: readonly string[]) => parts.join('.')
  const strangersKey = keyFor('another secret', purpose)
  const strangersToken = (changes: object, kidShown: unknown = kid) =>
    forgeCbc(strangersKey, { ...header, kid: kidShown, ...changes }, payload)

  return [
    // Algorithms
    ...['none', 'None', 'NONE', 'nOnE'].flatMap((alg): HostileToken[] => [
      [`alg ${alg}, unsigned`, joined(encodeHeader({ alg }), encodeHeader(claims), '')],
      [`alg ${alg}, two parts`, joined(encodeHeader({ alg }), encodeHeader(claims))],
      [`alg ${alg} in a sealed token`, withHeader({ alg })],
    ]),
    ...[
      'A256KW',
      'A256GCMKW',
      'RSA1_5',
      'RSA-OAEP',
      'RSA-OAEP-256',
      'ECDH-ES',
      'DIR',
      '',
      'dir ',
    ].map((alg): HostileToken => [`alg ${JSON.stringify(alg)}`, withHeader({ alg })]),
    [
      'PBES2 with two thousand million rounds',
      withHeader({ alg: 'PBES2-HS256+A128KW', p2c: 2 ** 31, p2s: 'A'.repeat(65_536) }),
    ],
    ['alg as an array', withHeader({ alg: ['dir'] })],
    ['alg missing', withRawHeader({ enc: header.enc, kid })],
    ...['A128CBC-HS256', 'A192CBC-HS384', 'A128GCM', 'A192GCM', 'a256cbc-hs512', '', 'none'].map(
      (enc): HostileToken => [`enc ${JSON.stringify(enc)}`, withHeader({ enc })],
    ),
    ['enc as an array', withHeader({ enc: ['A256CBC-HS512'] })],
    ['enc missing', withRawHeader({ alg: 'dir', kid })],
    ['enc A256GCM over A256CBC-HS512', withHeader({ enc: 'A256GCM', kid: kidOf(shortKey) })],
    ['enc A256GCM over A256CBC-HS512, no kid', withRawHeader({ alg: 'dir', enc: 'A256GCM' })],
    [
      'A256GCM with an IV of 16 bytes',
      forgeGcm(shortKey, { alg: 'dir', enc: 'A256GCM' }, payload, 16),
    ],
    ['HS256 with the secret', forgeJws(secret, 'HS256', claims)],
    ['HS512 with the secret', forgeJws(secret, 'HS512', claims)],
    ['HS256 with the derived key', forgeJws(key, 'HS256', claims)],
    ['HS512 with the derived key', forgeJws(key, 'HS512', claims)],
    ['HS256 with the empty key', forgeJws('', 'HS256', claims)],

    // Header members that ask for something
    ['zip', withHeader({ zip: 'DEF' })],
    ['zip null', withHeader({ zip: null })],
    ['crit unknown', withHeader({ crit: ['x'], x: 1 })],
    ['crit empty', withHeader({ crit: [] })],
    ['crit twice the same', withHeader({ crit: ['exp', 'exp'], exp: 1 })],
    ['crit with a registered name', withHeader({ crit: ['alg'] })],
    ['crit with an absent name', withHeader({ crit: ['y'] })],
    ['crit no array', withHeader({ crit: 'x' })],
    ['b64 false', withHeader({ b64: false })],
    ['iss in the header only', withHeader({ iss: 'https://evil.example' })],
    ['another sub in the header', withHeader({ sub: 'ann' })],

    // Keys
    ['kid unknown', withHeader({ kid: 'unknown' })],
    ['kid empty', withHeader({ kid: '' })],
    ['kid as a path', withHeader({ kid: '../../../../dev/null' })],
    ['kid as SQL', withHeader({ kid: "' OR 1=1 --" })],
    ['kid as an array', withHeader({ kid: [kid] })],
    ['kid as an object', withHeader({ kid: { toString: kid } })],
    ['kid as a number', withHeader({ kid: 1 })],
    ['kid null', withHeader({ kid: null })],
    ['kid __proto__', withHeader({ kid: '__proto__' })],
    ['kid of 10 kB', withHeader({ kid: kid.repeat(116) })],
    ["a stranger's key under our kid", strangersToken({})],
    ["a stranger's key under its own kid", strangersToken({}, kidOf(strangersKey))],
    [
      "a stranger's key without a kid",
      forgeCbc(strangersKey, { alg: 'dir', enc: header.enc }, payload),
    ],
    [
      "a stranger's key in the header, as jwk",
      strangersToken({ jwk: { kty: 'oct', k: strangersKey.toString('base64url') } }),
    ],
    ["a stranger's key behind jku", strangersToken({ jku: 'https://evil.example/jwks' })],
    ["a stranger's key behind x5u", strangersToken({ x5u: 'https://evil.example/x5u' })],
    ["a stranger's key in x5c", strangersToken({ x5c: [strangersKey.toString('base64')] })],
    ['a key of zeros', forgeCbc(Buffer.alloc(64), header, payload)],
    ['sealed for another purpose', forgeCbc(keyFor(secret, `${purpose}x`), header, payload)],

    // Headers that are none
    ...['', '{}', 'null', '[]', '"dir"', '1', '{', '{"alg":"dir"', '\u0000'].map(
      (raw): HostileToken => [`header ${JSON.stringify(raw)}`, withRawHeader(raw)],
    ),
    [
      'header not UTF-8',
      joined(Buffer.from([0xff, 0xfe, 0xc0]).toString('base64url'), '', iv, ciphertext, tag),
    ],
    ['header not base64url', joined('{"alg":"dir"}', '', iv, ciphertext, tag)],
    ['header with padding', joined(`${head}=`, '', iv, ciphertext, tag)],
    [
      'header nested 100,000 deep',
      joined(encodeHeader('['.repeat(100_000)), '', iv, ciphertext, tag),
    ],

    // Form
    ['nothing but text', 'garbage'],
    ['one part', head],
    ['two parts', joined(head, '')],
    ['three parts', joined(head, '', iv)],
    ['four parts', joined(head, '', iv, ciphertext)],
    ['six parts', joined(good, tag)],
    ['an empty sixth part', `${good}.`],
    ['all parts empty', '....'],
    ['an encrypted key where there is none', joined(head, iv, iv, ciphertext, tag)],
    ['IV missing', joined(head, '', '', ciphertext, tag)],
    ['ciphertext missing', joined(head, '', iv, '', tag)],
    ['tag missing', joined(head, '', iv, ciphertext, '')],
    [
      'IV too short',
      joined(head, '', bytes(iv).subarray(0, 12).toString('base64url'), ciphertext, tag),
    ],
    [
      'IV too long',
      joined(
        head,
        '',
        Buffer.concat([bytes(iv), bytes(iv)]).toString('base64url'),
        ciphertext,
        tag,
      ),
    ],
    ...[1, 2, 4, 8, 12, 15, 16, 24, 31].map(
      (length): HostileToken => [
        `tag cut to ${length} bytes`,
        joined(head, '', iv, ciphertext, bytes(tag).subarray(0, length).toString('base64url')),
      ],
    ),
    [
      'tag too long',
      joined(
        head,
        '',
        iv,
        ciphertext,
        Buffer.concat([bytes(tag), bytes(tag)]).toString('base64url'),
      ),
    ],
    [
      'ciphertext cut by one block',
      joined(head, '', iv, bytes(ciphertext).subarray(16).toString('base64url'), tag),
    ],
    [
      'ciphertext cut by one byte',
      joined(head, '', iv, bytes(ciphertext).subarray(1).toString('base64url'), tag),
    ],
    ['ciphertext in standard base64', joined(head, '', iv, '+/+/+/+/+/+/+/+/+/+/+/', tag)],
    ['padding after the tag', `${good}=`],
    ['JSON serialisation', JSON.stringify({ protected: head, iv, ciphertext, tag })],

    // Payloads that are no claims
    ['payload not UTF-8', withPayload(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
    ['payload empty', withPayload('')],
    ...['null', '1', 'true', '"text"', '[]', '[{}]', '{', 'undefined', `\ufeff${payload}`].map(
      (raw): HostileToken => [`payload ${JSON.stringify(raw.slice(0, 12))}`, withPayload(raw)],
    ),
    [
      'a signed token inside',
      forgeCbc(key, { ...header, cty: 'JWT' }, forgeJws(key, 'HS256', claims)),
    ],
    ...(['exp', 'nbf', 'iat'] as const).flatMap(claim =>
      [String(iat + 3600), null, true, [iat + 3600], {}].map(
        (value): HostileToken => [
          `${claim} ${JSON.stringify(value)}`,
          withClaims({ [claim]: value }),
        ],
      ),
    ),
    ['exp too large for a number', withPayload(payload.replace(/"exp":\d+/, '"exp":1e400'))],
    ['exp long past', withClaims({ exp: 1 })],
    ['exp below zero', withClaims({ exp: -1 })],
    ['nbf far ahead', withClaims({ nbf: iat + 3600 })],
    ['expired and changed', changeLast(withClaims({ exp: 1 }))],

    // Size
    ['a million dots', '.'.repeat(1_000_000)],
    ['a million dots after a header', head + '.'.repeat(1_000_000)],
    ['a header of 1 MB', joined('A'.repeat(1_000_000), '', iv, ciphertext, tag)],
    ['an IV of 1 MB', joined(head, '', 'A'.repeat(1_000_000), ciphertext, tag)],
    ['a ciphertext of 1 MB', joined(head, '', iv, 'A'.repeat(1_000_000), tag)],
    ['a tag of 1 MB', joined(head, '', iv, ciphertext, 'A'.repeat(1_000_000))],
  ]
}

/** The one token of this kind that is as it should be: shows that the others fail for their fault. */
export function honestToken(secret: string, purpose: string, now: number): string {
  const key = keyFor(secret, purpose)
  const iat = Math.floor(now / 1000)
  const claims = { sub: 'ann', name: 'Ann', iat, exp: iat + 3600, jti: 'x' }
  const header = { alg: 'dir', enc: 'A256CBC-HS512', kid: kidOf(key) }
  return forgeCbc(key, header, JSON.stringify(claims))
}

function bytes(part: string): Buffer {
  return Buffer.from(part, 'base64url')
}

function changeLast(token: string): string {
  return token.slice(0, -5) + (token.at(-5) === 'A' ? 'B' : 'A') + token.slice(-4)
}
