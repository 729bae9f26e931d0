import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../../../test/visitor.ts'
import { isForeignCall, isForeignRequest } from './foreign-request.ts'

const HERE = 'https://app.example.com'
const FRIEND = 'https://www.example.com'
const EVIL = 'https://evil.example'

function isForeign(origin: string | undefined, site: string | undefined, trusted = [FRIEND]) {
  const headers = new Headers()
  if (origin !== undefined) headers.set('origin', origin)
  if (site !== undefined) headers.set('sec-fetch-site', site)
  return isForeignRequest(headers, HERE, trusted)
}

describe('a request is foreign', () => {
  // Origin, Sec-Fetch-Site, foreign?
  it.each([
    [undefined, undefined, false],
    [undefined, 'same-origin', false],
    [undefined, 'none', false],
    [undefined, 'same-site', true],
    [undefined, 'cross-site', true],
    [undefined, 'something new', true],
    [HERE, undefined, false],
    [HERE, 'same-origin', false],
    [HERE, 'none', false],
    [HERE, 'same-site', false],
    [HERE, 'cross-site', false],
    [FRIEND, undefined, false],
    [FRIEND, 'same-site', false],
    [FRIEND, 'cross-site', false],
    [EVIL, undefined, true],
    [EVIL, 'same-site', true],
    [EVIL, 'cross-site', true],
    [EVIL, 'same-origin', false],
    [EVIL, 'none', false],
    ['null', undefined, false],
    ['null', 'same-origin', false],
    ['null', 'none', false],
    ['null', 'same-site', true],
    ['null', 'cross-site', true],
  ])('if its Origin is %j and Sec-Fetch-Site is %j: %j', (origin, site, foreign) => {
    expect(isForeign(origin, site)).toBe(foreign)
  })

  it.each([
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'https://app.example.com/',
    'https://APP.example.com',
    'https://example.com',
    'https://sub.app.example.com',
    'app.example.com',
    `${HERE}, ${EVIL}`,
    `${HERE}@evil.example`,
  ])('if its Origin is %j, which is another', origin => {
    expect(isForeign(origin, undefined)).toBe(true)
    expect(isForeign(origin, 'cross-site')).toBe(true)
  })

  it('unless its Origin is listed: as it is, as a pattern, or with the scheme of an application', () => {
    const listed = ['capacitor://localhost', 'https://*.example.com']
    for (const origin of ['capacitor://localhost', FRIEND]) {
      expect(isForeign(origin, undefined, listed)).toBe(false)
      expect(isForeign(origin, 'cross-site', listed)).toBe(false)
    }
    for (const origin of ['capacitor://other', 'http://www.example.com', EVIL]) {
      expect(isForeign(origin, undefined, listed)).toBe(true)
    }
  })

  it('if its Origin is one that nobody trusts any more', () => {
    expect(isForeign(FRIEND, 'same-site', [])).toBe(true)
    expect(isForeign(FRIEND, undefined, [])).toBe(true)
  })
})

describe('a call of the application itself is foreign', () => {
  // Origin, Sec-Fetch-Site, foreign?
  it.each([
    [undefined, undefined, false],
    [undefined, 'same-origin', false],
    [undefined, 'none', false],
    [undefined, 'same-site', true],
    [undefined, 'cross-site', true],
    [HERE, undefined, false],
    [FRIEND, 'same-site', false],
    [EVIL, undefined, true],
    ['null', undefined, true],
    ['null', 'cross-site', true],
    ['null', 'same-site', true],
    ['null', 'none', true],
    ['null', '', true],
    ['null', 'same-origin', false],
  ])('if its Origin is %j and Sec-Fetch-Site is %j: %j', (origin, site, foreign) => {
    const headers = new Headers()
    if (origin !== undefined) headers.set('origin', origin)
    if (site !== undefined) headers.set('sec-fetch-site', site)
    expect(isForeignCall(headers, HERE, [FRIEND])).toBe(foreign)
  })
})

describe('through the door', () => {
  async function signOut(headers: Record<string, string>, trustedOrigins: string[] = []) {
    const auth = createTestAuth({ trustedOrigins })
    const visitor = new Visitor(auth.handle)
    const response = await visitor.post('/signout', {}, headers)
    return { location: response.headers.get('location'), errors: auth.errors }
  }

  it('a form of another site is refused although it has the token', async () => {
    const { location, errors } = await signOut({ origin: EVIL, 'sec-fetch-site': 'cross-site' })
    expect(location).toBe(`${HERE}/auth/signin?error=MissingCSRF`)
    expect(errors[0]?.message).toContain(EVIL)
    expect(errors[0]?.message).toContain('trustedOrigins')
  })

  it('a form of this site, and of a site that is trusted, is taken', async () => {
    expect((await signOut({ origin: HERE })).location).toBe(HERE)
    expect((await signOut({ 'sec-fetch-site': 'same-origin' })).location).toBe(HERE)
    expect(
      (await signOut({ origin: FRIEND, 'sec-fetch-site': 'same-site' }, [FRIEND])).location,
    ).toBe(HERE)
  })

  it('a form of this site without the token is refused all the same', async () => {
    const auth = createTestAuth({})
    const response = await auth.handle(
      new Request(`${HERE}/auth/signout`, {
        method: 'POST',
        headers: { origin: HERE, 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ csrfToken: 'x' }),
      }),
    )
    expect(response.headers.get('location')).toContain('error=MissingCSRF')
  })
})
