import { describe, expect, it, vi } from 'vitest'
import {
  CSRF_COOKIE,
  createApplication,
  everybodyIs,
  ORIGIN,
  SESSION_COOKIE,
  signIn,
  writtenCookies,
} from '../spec/application.ts'
import { openDoor } from './door.ts'

// Many requests to a test: more time than one has, on a machine with much to do.
vi.setConfig({ testTimeout: 60_000 })

const POSTS = ['/session', '/signin', '/signin/credentials', '/callback/credentials', '/signout']
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

const { application, knock } = openDoor()

function post(path: string, body: BodyInit, headers: Record<string, string>): Promise<Response> {
  return knock(path, { method: 'POST', body, headers })
}

/** The cookie and the token that make a request the application's own. */
async function ownForm(): Promise<{ csrfToken: string; cookie: string }> {
  const visitor = application.visitor()
  const csrfToken = await visitor.csrfToken()
  return { csrfToken, cookie: `${CSRF_COOKIE}=${visitor.cookies.get(CSRF_COOKIE)}` }
}

/** What a request without a valid token is answered. */
function expectMissingToken(path: string, response: Response): void {
  if (path === '/session') expect(response.status).toBe(400)
  else expect(response.headers.get('location')).toBe(`${ORIGIN}/auth/signin?error=MissingCSRF`)
}

describe('A body that is not what its type says', () => {
  const malformed = {
    'half an object': '{"csrfToken":',
    'single quotes': "{'csrfToken':'x'}",
    'no quotes': '{csrfToken:x}',
    'a comma too many': '{"csrfToken":"x",}',
    'two objects': '{}{}',
    'a comment': '{/* hello */}',
    'not a number': '{"data":NaN}',
    'a raw line break in a string': '{"csrfToken":"a\nb"}',
    'a raw NUL': '{"csrfToken":"a\0b"}',
    'a form': 'csrfToken=x&callbackUrl=%2F',
    'just a bracket': '[',
    'a script': '<script>alert(1)</script>',
    'a broken escape': '{"csrfToken":"\\u12"}',
    'half of a surrogate pair': '{"callbackUrl":"/\\ud800"}',
    'half of a pair in a name': '{"a\\udfff":"x"}',
    'half of a pair further down': '{"data":{"names":["ann \\ud83d"]}}',
    blanks: '   ',
  }

  it.each(Object.entries(malformed))('is refused with 400 as JSON: %s', async (_, body) => {
    for (const path of POSTS) {
      const response = await post(path, body, JSON_TYPE)
      expect(response.status, path).toBe(400)
      expect(await response.json(), path).toBe('Bad request.')
    }
  })

  it.each(['null', '[]', '[{"csrfToken":"x"}]', '"text"', '42', 'true'])(
    'is refused with 400 as JSON that is no object: %s',
    async body => {
      for (const path of POSTS) {
        expect((await post(path, body, JSON_TYPE)).status, path).toBe(400)
      }
    },
  )

  it('is refused with 400 as bytes that are no text', async () => {
    const response = await post('/signout', new Uint8Array([0xff, 0xfe, 0x00, 0x80]), JSON_TYPE)
    expect(response.status).toBe(400)
  })

  it('is refused with 400 as multipart without its boundary', async () => {
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'content-type': type }
      const body = '--y\r\nContent-Disposition: form-data; name="csrfToken"\r\n\r\nx\r\n--y'
      expect((await post('/signout', body, headers)).status, type).toBe(400)
    }
  })

  it('is refused with a page where a person reads the answer', async () => {
    const response = await post('/signout', '{', { ...JSON_TYPE, accept: 'text/html' })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toContain('text/html')
    expect(await response.text()).toContain('Bad request')
  })
})

describe('A body of another type', () => {
  it.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/xml',
    'application/octet-stream',
    'image/png',
    'garbage',
    ';',
    'application/jso',
  ])('counts as none: %s', async type => {
    const { csrfToken, cookie } = await ownForm()
    for (const path of POSTS) {
      for (const body of [JSON.stringify({ csrfToken }), `csrfToken=${csrfToken}`]) {
        const response = await post(path, body, { 'content-type': type, cookie })
        expectMissingToken(path, response)
      }
    }
  })

  it('counts as none without any type', async () => {
    const { csrfToken, cookie } = await ownForm()
    const bytes = new TextEncoder().encode(`csrfToken=${csrfToken}`)
    const response = await post('/signout', bytes, { cookie })
    expectMissingToken('/signout', response)
  })

  it('may be named in capitals and with parameters', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = JSON.stringify({ csrfToken })
    const headers = { 'content-type': 'Application/JSON; Charset=UTF-8', cookie }
    const response = await post('/signout', body, headers)
    expect(response.headers.get('location')).toBe(ORIGIN)
  })
})

describe('A large body', () => {
  const megabyte = 'x'.repeat(1024 * 1024)

  it.each([
    ['a form', `data=${megabyte}`, FORM_TYPE],
    ['JSON', JSON.stringify({ data: megabyte }), JSON_TYPE],
    ['malformed JSON', `{"data":"${megabyte}`, JSON_TYPE],
    ['text', megabyte, { 'content-type': 'text/plain' }],
  ] as const)('of 1 MB is refused with 413: %s', async (_, body, headers) => {
    for (const path of POSTS) {
      const response = await post(path, body, headers)
      expect(response.status, path).toBe(413)
      expect(await response.json(), path).toEqual({ message: expect.any(String) })
    }
  })

  it('of 1 MB is refused with 413 as a multipart form', async () => {
    const body = new FormData()
    body.set('data', megabyte)
    expect((await knock('/signout', { method: 'POST', body })).status).toBe(413)
  })

  it('of 1 MB is refused with a page where a person reads the answer', async () => {
    const response = await post('/signout', megabyte, { ...FORM_TYPE, accept: 'text/html' })
    expect(response.status).toBe(413)
    expect(response.headers.get('content-type')).toContain('text/html')
  })

  it('that never ends is not waited for, and its sender is told to stop', async () => {
    let chunks = 0
    let isCancelled = false
    const body = new ReadableStream({
      pull(controller) {
        chunks++
        controller.enqueue(new Uint8Array(64 * 1024))
      },
      cancel() {
        isCancelled = true
      },
    })
    const init = { method: 'POST', body, headers: FORM_TYPE, duplex: 'half' }
    expect((await knock('/signout', init)).status).toBe(413)
    await vi.waitFor(() => expect(isCancelled).toBe(true))
    expect(chunks).toBeLessThan(12)
  })

  it('within the limit is read, and 10 kB fields reach the application', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = new URLSearchParams({
      csrfToken,
      username: 'A'.repeat(10_000),
      password: '\u{1f511}'.repeat(5000),
    })
    const response = await post('/callback/credentials', body.toString(), { ...FORM_TYPE, cookie })
    expect(response.headers.get('location')).toContain('error=CredentialsSignin')
  })
})

describe('A body that breaks off', () => {
  function breaking(chunks: readonly string[], error: unknown): ReadableStream {
    const left = [...chunks]
    return new ReadableStream({
      async pull(controller) {
        await new Promise(resolve => setTimeout(resolve, 1))
        const chunk = left.shift()
        if (chunk === undefined) controller.error(error)
        else controller.enqueue(new TextEncoder().encode(chunk))
      },
    })
  }

  it.each([
    ['at once', []],
    ['after some pieces', ['csrfToken=', 'abc', '&data=']],
  ] as const)('is refused with 400: %s', async (_, chunks) => {
    for (const path of POSTS) {
      for (const error of [new Error('connection reset'), undefined, 'reset', null]) {
        const body = breaking(chunks, error)
        const init = { method: 'POST', body, headers: FORM_TYPE, duplex: 'half' }
        expect((await knock(path, init)).status, path).toBe(400)
      }
    }
  })

  it('is refused with 400 if somebody else is reading it', async () => {
    const request = new Request(`${ORIGIN}/auth/signout`, { method: 'POST', body: 'x' })
    const reader = request.body?.getReader()
    expect((await application.handle(request)).status).toBe(400)
    reader?.releaseLock()
  })

  it('is refused with 400 if somebody else has read it', async () => {
    const request = new Request(`${ORIGIN}/auth/signout`, { method: 'POST', body: 'x' })
    await request.text()
    expect((await application.handle(request)).status).toBe(400)
  })
})

describe('Nested JSON', () => {
  function nested(levels: number): string {
    return '{"a":'.repeat(levels) + 1 + '}'.repeat(levels)
  }

  it.each([
    ['objects', '{"a":', '1', '}'],
    ['lists', '[', '', ']'],
  ])('of 20 000 levels is refused with 400: %s', async (_, open, inside, close) => {
    const { csrfToken, cookie } = await ownForm()
    const deep = open.repeat(20_000) + inside + close.repeat(20_000)
    for (const path of POSTS) {
      const body = `{"csrfToken":"${csrfToken}","data":${deep}}`
      expect((await post(path, body, { ...JSON_TYPE, cookie })).status, path).toBe(400)
    }
  })

  it('of 100 levels is refused with 400', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = `{"csrfToken":"${csrfToken}","data":${nested(100)}}`
    expect((await post('/session', body, { ...JSON_TYPE, cookie })).status).toBe(400)
  })

  it('of a few levels reaches the application', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = `{"csrfToken":"${csrfToken}","data":${nested(60)}}`
    expect((await post('/session', body, { ...JSON_TYPE, cookie })).status).toBe(200)
  })
})

describe('A field that comes twice', () => {
  it('counts as the last one says, in forms and in JSON', async () => {
    const { csrfToken, cookie } = await ownForm()
    const forms = {
      good: [`csrfToken=x&csrfToken=${csrfToken}`, `{"csrfToken":"x","csrfToken":"${csrfToken}"}`],
      bad: [`csrfToken=${csrfToken}&csrfToken=x`, `{"csrfToken":"${csrfToken}","csrfToken":"x"}`],
    }
    for (const [index, headers] of [FORM_TYPE, JSON_TYPE].entries()) {
      const good = await post('/signout', forms.good[index] ?? '', { ...headers, cookie })
      expect(good.headers.get('location')).toBe(ORIGIN)
      const bad = await post('/signout', forms.bad[index] ?? '', { ...headers, cookie })
      expectMissingToken('/signout', bad)
    }
  })

  it('counts as the last one says in a multipart form, and a file is no text', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = new FormData()
    body.append('csrfToken', csrfToken)
    body.append('csrfToken', new Blob(['x']), 'token.txt')
    const response = await knock('/signout', { method: 'POST', body, headers: { cookie } })
    expect(response.headers.get('location')).toBe(ORIGIN)
  })
})

describe('A field that is named like a part of every object', () => {
  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])(
    'changes nothing: %s',
    async name => {
      const { csrfToken, cookie } = await ownForm()
      for (const path of POSTS) {
        const value = '{"isAdmin":true,"csrfToken":"x","callbackUrl":"https://evil.example"}'
        const json = `{"${name}":${value},"csrfToken":"${csrfToken}"}`
        await post(path, json, { ...JSON_TYPE, cookie })
        const form = `${name}[isAdmin]=true&${name}=x&csrfToken=${csrfToken}`
        await post(path, form, { ...FORM_TYPE, cookie })
        await knock(`${path}?${name}=x`, { headers: { cookie: `${name}=x` } })
      }
      expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
      expect(Object.prototype).not.toHaveProperty('csrfToken')
    },
  )

  it('cannot stand in for the token: nothing is inherited', async () => {
    const { csrfToken, cookie } = await ownForm()
    const body = `{"__proto__":{"csrfToken":"${csrfToken}"}}`
    expectMissingToken('/signout', await post('/signout', body, { ...JSON_TYPE, cookie }))
  })
})

describe('A field that is no text', () => {
  it('is no token, whatever it holds', async () => {
    const { csrfToken, cookie } = await ownForm()
    const values: unknown[] = [
      null,
      0,
      42,
      true,
      [],
      [csrfToken],
      {},
      { toString: csrfToken },
      { length: 64 },
      { 0: csrfToken },
    ]
    for (const value of values) {
      for (const path of POSTS) {
        const body = JSON.stringify({ csrfToken: value, username: 'Ann' })
        expectMissingToken(path, await post(path, body, { ...JSON_TYPE, cookie }))
      }
    }
  })

  it('is no wish to go anywhere', async () => {
    const { csrfToken, cookie } = await ownForm()
    const values = [null, 0, 42, true, [], ['https://evil.example'], {}, { href: '/x' }]
    for (const callbackUrl of values) {
      const body = JSON.stringify({ csrfToken, callbackUrl })
      const response = await post('/signout', body, { ...JSON_TYPE, cookie })
      expect(response.headers.get('location'), JSON.stringify(callbackUrl)).toBe(ORIGIN)
    }
  })

  it('is left to the application where it is a credential', async () => {
    const { csrfToken, cookie } = await ownForm()
    for (const username of [null, 42, [], ['Ann'], {}, { $ne: null }]) {
      const body = JSON.stringify({ csrfToken, username, password: { $ne: null } })
      const response = await post('/callback/credentials', body, { ...JSON_TYPE, cookie })
      expect(response.headers.get('location')).toContain('error=CredentialsSignin')
    }
  })
})

describe('Broken percent-encoding in a form', () => {
  it.each(['%', '%2', '%zz', '%u0041', '%ff%fe', '%c0%af', '%ed%a0%80', '%00', '%E0%A4%A'])(
    'is read as it can be: %s',
    async broken => {
      const { csrfToken, cookie } = await ownForm()
      const headers = { ...FORM_TYPE, cookie }
      for (const path of POSTS) {
        expectMissingToken(path, await post(path, `csrfToken=${broken}`, headers))
        expectMissingToken(path, await post(path, `${broken}=${broken}&${broken}`, headers))
      }
      const body = `csrfToken=${csrfToken}&callbackUrl=/${broken}&username=${broken}`
      const left = await post('/signout', body, headers)
      expect(left.status).toBe(302)
      const refused = await post('/callback/credentials', body, headers)
      expect(refused.headers.get('location')).toContain('error=CredentialsSignin')
    },
  )
})

describe('NUL, line breaks and other controls in a field', () => {
  const controls = ['\0', '\r\n', '\n', '\r', '\t', '\u001b[2J', '\u0085', '\u2028', '\ufeff']

  it.each(controls.map(each => [encodeURIComponent(each), each] as const))(
    'reach neither a header nor another cookie: %s',
    async (_, control) => {
      const { csrfToken, cookie } = await ownForm()
      const text = `x${control}Set-Cookie: evil=1${control}Location: https://evil.example`
      for (const [headers, write] of [
        [FORM_TYPE, (fields: Record<string, string>) => new URLSearchParams(fields).toString()],
        [JSON_TYPE, (fields: Record<string, string>) => JSON.stringify(fields)],
      ] as const) {
        for (const path of POSTS) {
          const fields = { callbackUrl: `/${text}`, username: text, password: text, [text]: text }
          const signed = await post(path, write({ csrfToken, ...fields }), { ...headers, cookie })
          expect(writtenCookies(signed).map(each => each.name)).not.toContain('evil')
          const forged = await post(path, write({ csrfToken: text }), { ...headers, cookie })
          expectMissingToken(path, forged)
        }
      }
    },
  )

  it('reach the application as they were sent', async () => {
    const seen: unknown[] = []
    const own = createApplication({
      providers: [everybodyIs({ id: '1' })],
      callbacks: {
        signIn({ credentials }) {
          seen.push(credentials?.['username'])
          return false
        },
      },
    })
    await own.visitor().postJson('/callback/credentials', { username: 'a\0b\r\nc' })
    expect(seen).toEqual(['a\0b\r\nc'])
  })
})

describe('Half a character', () => {
  it('does no harm in JSON', async () => {
    const { csrfToken, cookie } = await ownForm()
    for (const path of POSTS) {
      for (const half of ['\\ud800', '\\udc00', '\\udc00\\ud800']) {
        const fields = `"callbackUrl":"/${half}","username":"${half}","${half}":1,"data":"${half}"`
        await post(path, `{"csrfToken":"${half}",${fields}}`, { ...JSON_TYPE, cookie })
        await post(path, `{"csrfToken":"${csrfToken}",${fields}}`, { ...JSON_TYPE, cookie })
      }
    }
  })

  it('can be part of a session without breaking it', async () => {
    const own = createApplication({
      providers: [everybodyIs({ id: '1', name: 'half \ud800 a character' })],
    })
    const visitor = own.visitor()
    await signIn(visitor)
    expect(visitor.cookies.has(SESSION_COOKIE)).toBe(true)
    expect(await visitor.session()).toHaveProperty('user.name')
  })
})
