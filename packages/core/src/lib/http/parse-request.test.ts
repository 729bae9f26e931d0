import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { InvalidRequest, UntrustedHost } from '../base/errors.ts'
import { isRejection, parseRequest, type Rejection } from './parse-request.ts'
import type { ParsedRequest } from './request.ts'

const URL_HERE = 'https://app.example.com/auth/callback/credentials'
const FORM = 'application/x-www-form-urlencoded'
const LIMIT = 256 * 1024

function post(body: BodyInit | null, type?: string, more: RequestInit = {}): Request {
  const headers = type === undefined ? {} : { 'content-type': type }
  return new Request(URL_HERE, { method: 'POST', headers, body, ...more })
}

async function parse(request: Request): Promise<ParsedRequest> {
  const parsed = await parseRequest(request, undefined, true)
  if (isRejection(parsed)) throw parsed.problem
  return parsed
}

async function reject(request: Request): Promise<Rejection> {
  const parsed = await parseRequest(request, undefined, true)
  if (!isRejection(parsed)) throw new Error('was not refused')
  return parsed
}

const fields = async (request: Request) => ({ ...(await parse(request)).body })

describe('the body of a request', () => {
  it.each([
    ['application/json', '{"a":"1","b":{"c":2}}', { a: '1', b: { c: 2 } }],
    ['application/json; charset=utf-8', '{"a":"é"}', { a: 'é' }],
    ['Application/JSON', '{"a":"1"}', { a: '1' }],
    ['application/json', '{}', {}],
    ['application/json', '', {}],
    ['application/json', '{"a":"1","a":"2"}', { a: '2' }],
    [FORM, 'a=1&b=x+y%21', { a: '1', b: 'x y!' }],
    [`${FORM}; charset=UTF-8`, 'a=%C3%A9', { a: 'é' }],
    [FORM, 'a=1&a=2', { a: '2' }],
    [FORM, 'a&=b&&c=', { a: '', '': 'b', c: '' }],
    [FORM, 'a=%ZZ&b=%', { a: '%ZZ', b: '%' }],
    [FORM, '', {}],
  ])('is read as %s: %s', async (type, body, expected) => {
    expect(await fields(post(body, type))).toEqual(expected)
  })

  it('is read as a multipart form, of which the last of several fields counts and files do not', async () => {
    const form = new FormData()
    form.append('a', '1')
    form.append('a', '2')
    form.append('b', 'é\r\n--x')
    form.append('file', new Blob(['content']), 'name.txt')
    expect(await fields(post(form))).toEqual({ a: '2', b: 'é\r\n--x' })
  })

  it.each([
    ['no content type', undefined],
    ['plain text', 'text/plain'],
    ['XML', 'application/xml'],
    ['an empty content type', ''],
  ])('has no fields with %s', async (_what, type) => {
    const body = new Blob(['{"a":"1"}']) // a blob brings no content type of its own
    expect(await fields(post(body, type))).toEqual({})
  })

  it('has no fields where there is none', async () => {
    expect(await fields(post(null))).toEqual({})
    expect(await fields(post(null, 'application/json'))).toEqual({})
    expect(await fields(new Request(URL_HERE, { headers: { 'content-type': FORM } }))).toEqual({})
  })

  it.each([
    ['application/json', '{'],
    ['application/json', '{"a":1'],
    ['application/json', 'undefined'],
    ['application/json', 'null'],
    ['application/json', '1'],
    ['application/json', '"text"'],
    ['application/json', '[{"a":1}]'],
    ['application/json', '{"a":NaN}'],
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=x', 'no parts'],
  ])('is refused where it is not what %s says: %s', async (type, body) => {
    const { status, problem: refused } = await reject(post(body, type))
    expect(status).toBe(400)
    expect(refused).toBeInstanceOf(InvalidRequest)
    expect(refused.message).not.toContain(body)
  })

  it('is refused where it is nested deeper than any honest one', async () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(await fields(post(nested(30), 'application/json'))).toHaveProperty('a')
    expect((await reject(post(nested(100), 'application/json'))).status).toBe(400)
    expect((await reject(post(nested(50_000), 'application/json'))).status).toBe(400)
  })

  it('never becomes part of what objects inherit', async () => {
    const json = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}'
    for (const request of [
      post(json, 'application/json'),
      post('__proto__=x&constructor=y', FORM),
    ]) {
      const { body } = await parse(request)
      expect(Object.getPrototypeOf(body)).toBeNull()
      expect(body['isAdmin']).toBeUndefined()
      expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
      const spread: Record<string, unknown> = { ...body }
      expect(spread['isAdmin']).toBeUndefined()
    }
    const { body, query } = await parse(new Request(`${URL_HERE}?__proto__=x&toString=y`))
    expect(body['toString']).toBeUndefined()
    expect(query['toString']).toBe('y')
    expect(query['hasOwnProperty']).toBeUndefined()
  })

  it('is read to the last byte that is allowed, and refused with 413 beyond', async () => {
    const filled = (length: number) => `a=${'x'.repeat(length - 2)}`
    const whole = await fields(post(filled(LIMIT), FORM))
    expect(whole['a']).toHaveLength(LIMIT - 2)
    const { status, problem: refused } = await reject(post(filled(LIMIT + 1), FORM))
    expect(status).toBe(413)
    expect(refused).toBeInstanceOf(InvalidRequest)
  })

  it('is not read to its end where it is too large', async () => {
    let chunks = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>({
      pull: controller => {
        chunks++
        controller.enqueue(new Uint8Array(64 * 1024))
      },
      cancel: () => {
        cancelled = true
      },
    })
    const { status } = await reject(post(endless, FORM, { duplex: 'half' } as RequestInit))
    expect(status).toBe(413)
    await vi.waitFor(() => expect(cancelled).toBe(true))
    expect(chunks).toBeLessThan(12)
  })

  it('is not cancelled where it is a little too large, so that the answer arrives', async () => {
    const outcome = await new Promise(resolve => {
      let chunks = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          if (++chunks <= 6) return controller.enqueue(new Uint8Array(64 * 1024))
          controller.close()
          resolve('read')
        },
        cancel: () => resolve('cancelled'),
      })
      reject(post(body, FORM, { duplex: 'half' } as RequestInit))
    })
    expect(outcome).toBe('read')
  })

  it('is refused where somebody has read it already', async () => {
    const request = post('a=1', FORM)
    await request.text()
    const { status, problem: refused } = await reject(request)
    expect(status).toBe(400)
    expect(refused.message).toContain('clone')
  })

  it('is refused where somebody is reading it', async () => {
    const request = post('a=1', FORM)
    request.body?.getReader()
    expect((await reject(request)).status).toBe(400)
  })

  it('is refused where it breaks off', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start: controller => controller.error(new Error('connection reset')),
    })
    const { status, problem: refused } = await reject(
      post(broken, FORM, { duplex: 'half' } as RequestInit),
    )
    expect(status).toBe(400)
    expect(refused.cause?.err?.message).toBe('connection reset')
  })

  it('comes back as it went, in all three forms', async () => {
    const name = fc.string({ minLength: 1, unit: 'grapheme' })
    const sent = fc.dictionary(name, fc.string({ unit: 'grapheme' }), { maxKeys: 5 })
    await fc.assert(
      fc.asyncProperty(sent, async values => {
        expect(await fields(post(JSON.stringify(values), 'application/json'))).toEqual({
          ...values,
        })
        expect(await fields(post(new URLSearchParams(values)))).toEqual({ ...values })
      }),
      { numRuns: 50 },
    )
  })

  it('is never the cause of an exception', async () => {
    const type = fc.constantFrom('application/json', FORM, 'multipart/form-data; boundary=x', 'x/y')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), type, async (bytes, contentType) => {
        const body = new Blob([new Uint8Array(bytes)])
        const parsed = await parseRequest(post(body, contentType), undefined, true)
        expect(isRejection(parsed) ? parsed.status : 200).toBeOneOf([200, 400])
      }),
      { numRuns: 100 },
    )
  })
})

describe('the rest of a request', () => {
  it('is what was sent: method, query, headers and cookies', async () => {
    const request = new Request(`${URL_HERE}?a=1&b=x%20y&a=2`, {
      headers: { cookie: 'c=1%7C2; d=3', 'x-own': 'z' },
    })
    const incoming = await parse(request)
    expect(incoming.method).toBe('GET')
    expect({ ...incoming.query }).toEqual({ a: '2', b: 'x y' })
    expect({ ...incoming.cookies }).toEqual({ c: '1|2', d: '3' })
    expect(incoming.headers.get('x-own')).toBe('z')
    expect(incoming.origin).toBe('https://app.example.com')
    expect(incoming.url.href).toBe(request.url)
  })

  it('takes HEAD for GET', async () => {
    expect((await parse(new Request(URL_HERE, { method: 'HEAD' }))).method).toBe('GET')
  })

  it('has the URL that the visitor used, not the one behind a proxy', async () => {
    const request = new Request('http://10.0.0.7:3000/auth/signin?x=1', {
      headers: { 'x-forwarded-host': 'app.example.com', 'x-forwarded-proto': 'https' },
    })
    expect((await parse(request)).url.href).toBe('https://app.example.com/auth/signin?x=1')
    const configured = await parseRequest(request, 'https://configured.example', false)
    expect(configured).toMatchObject({ origin: 'https://configured.example' })
  })

  it('keeps its host where the path starts with two slashes', async () => {
    const { url } = await parse(new Request('https://app.example.com//evil.example/x'))
    expect(url.href).toBe('https://app.example.com//evil.example/x')
  })

  it('is refused where its host is not believed', async () => {
    const parsed = await parseRequest(new Request(URL_HERE), undefined, ['other.example'])
    if (!isRejection(parsed)) throw new Error('was not refused')
    expect(parsed.status).toBe(400)
    expect(parsed.problem).toBeInstanceOf(UntrustedHost)
    expect(parsed.problem.message).toContain('app.example.com')
    expect(parsed.problem.message).toContain('AUTH_URL')
  })

  it('is not mistaken for a refusal, whatever it holds', async () => {
    const body = JSON.stringify({ refused: { message: 'x' }, status: 413 })
    expect(await fields(post(body, 'application/json'))).toHaveProperty('refused')
  })
})
