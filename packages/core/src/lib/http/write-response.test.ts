import { describe, expect, it } from 'vitest'
import { createTestAuth } from '../../../test/visitor.ts'
import { json, type Outgoing, page, redirect } from './response.ts'
import { toResponse as responseOf, toClientWire, toInternal, toWire } from './write-response.ts'

const toResponse = (outgoing: Outgoing) => responseOf(toWire(outgoing))
const toClientResponse = (outgoing: Outgoing) => responseOf(toClientWire(outgoing))

const cookies = [
  { name: 'a', value: '1', options: { path: '/' } },
  { name: 'b', value: '', options: { path: '/', maxAge: 0 } },
]
const rendered = { html: '<p>Hello</p>', contentSecurityPolicy: "default-src 'none'" }
const common = {
  'cache-control': 'private, no-cache, no-store',
  expires: '0',
  pragma: 'no-cache',
  'x-content-type-options': 'nosniff',
}

function headersOf(response: Response): Record<string, string> {
  const headers = new Headers(response.headers)
  headers.delete('set-cookie')
  return Object.fromEntries(headers)
}

describe('a redirect', () => {
  it('says where to go, and nothing else', async () => {
    const response = toResponse(redirect('https://app.example.com/x', cookies))
    expect(response.status).toBe(302)
    expect(headersOf(response)).toEqual({
      ...common,
      location: 'https://app.example.com/x',
      'referrer-policy': 'no-referrer',
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=; Max-Age=0; Path=/'])
    expect(await response.text()).toBe('')
  })

  it('says it in the body to a script, which cannot follow it', async () => {
    const response = toClientResponse(redirect('https://app.example.com/x', cookies))
    expect(response.status).toBe(200)
    expect(headersOf(response)).toEqual({
      ...common,
      location: 'https://app.example.com/x',
      'content-type': 'application/json',
      'referrer-policy': 'no-referrer',
    })
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.json()).toEqual({ url: 'https://app.example.com/x' })
  })

  it('as data keeps its cookies as data', () => {
    const internal = toInternal(redirect('https://app.example.com/x', cookies))
    expect(internal).toMatchObject({ status: 302, redirect: 'https://app.example.com/x', cookies })
    expect(new Headers(internal.headers).getSetCookie()).toEqual([])
    expect(internal.body).toBeUndefined()
  })
})

describe('an answer in JSON', () => {
  it.each([
    [null, 'null'],
    [{ a: 'é' }, '{"a":"é"}'],
    ['Bad request.', '"Bad request."'],
  ])('writes %j as %j', async (body, text) => {
    const response = toResponse(json(body, 200, cookies))
    expect(headersOf(response)).toEqual({
      ...common,
      'content-type': 'application/json',
      'referrer-policy': 'no-referrer',
    })
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.text()).toBe(text)
  })

  it('without a body says nothing of its type', async () => {
    const response = toResponse(json(undefined, 404))
    expect(headersOf(response)).toEqual({ ...common, 'referrer-policy': 'no-referrer' })
    expect(await response.text()).toBe('')
  })

  it('keeps its status, and says which methods there are', () => {
    const answer: Outgoing = { ...json({ message: 'No.' }, 405), allow: ['GET', 'POST'] }
    for (const response of [toResponse(answer), toClientResponse(answer)]) {
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('GET, POST')
    }
  })

  it('as data keeps its body as data', () => {
    const body = { expires: 'x' }
    expect(toInternal(json(body, 503, cookies))).toMatchObject({ status: 503, body, cookies })
    expect(toInternal(json(body)).body).toBe(body)
  })
})

describe('a page', () => {
  it('may not be framed, and loads what its policy says', async () => {
    const response = toResponse(page(rendered, 403, cookies))
    expect(response.status).toBe(403)
    expect(headersOf(response)).toEqual({
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    })
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(await response.text()).toBe('<p>Hello</p>')
  })

  it('stays a page for scripts and as data', async () => {
    expect(await toClientResponse(page(rendered)).text()).toBe('<p>Hello</p>')
    expect(toInternal(page(rendered, 404))).toMatchObject({ status: 404, body: '<p>Hello</p>' })
  })
})

describe('through the door', () => {
  const auth = createTestAuth({})
  const send = (path: string, init?: RequestInit) =>
    auth.handle(new Request(`https://app.example.com/auth${path}`, init))

  it('HEAD has the status and headers of GET, and no body', async () => {
    for (const path of ['/session', '/csrf', '/providers', '/signin', '/error', '/nothing']) {
      const [get, head] = [await send(path), await send(path, { method: 'HEAD' })]
      expect(head.status).toBe(get.status)
      expect(headersOf(head)).toEqual(headersOf(get))
      expect(await head.text()).toBe('')
    }
  })

  it('nothing is ever stored by a cache, whatever the outcome', async () => {
    const requests: readonly (readonly [string, RequestInit?])[] = [
      ['/session'],
      ['/csrf'],
      ['/providers'],
      ['/signin'],
      ['/signout'],
      ['/error?error=AccessDenied'],
      ['/verify-request'],
      ['/nothing'],
      ['/session', { method: 'POST' }],
      ['/signout', { method: 'POST' }],
      ['/session', { method: 'DELETE' }],
      ['/session', { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
    ]
    for (const [path, init] of requests) {
      const { headers } = await send(path, init)
      expect(headers.get('cache-control')).toBe('private, no-cache, no-store')
      expect(headers.get('etag') ?? headers.get('last-modified')).toBeNull()
    }
  })
})
