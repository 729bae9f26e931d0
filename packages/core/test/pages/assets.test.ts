import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'

const createVisitor = () =>
  new Visitor(createTestAuth({ providers: [], trustHost: true }, { NODE_ENV: 'test' }).handle)

/** Where the script of the sign-in page is. */
async function scriptOf(visitor: Visitor): Promise<string> {
  const html = await (await visitor.get('/signin')).text()
  const [, src = ''] = /<script src="\/auth([^"]+)"/.exec(html) ?? []
  return src
}

describe('the script of a page', () => {
  it('is ours, and named after what is in it', async () => {
    const visitor = createVisitor()
    const src = await scriptOf(visitor)
    const response = await visitor.get(src)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    const hash = createHash('sha256')
      .update(await response.text())
      .digest('hex')
    expect(src).toBe(`/assets/page.${hash.slice(0, 16)}.js`)
  })

  it('may be kept for ever, is about nobody, and is of no use to other sites', async () => {
    const visitor = createVisitor()
    const { headers } = await visitor.get(await scriptOf(visitor))
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('vary')).toBeNull()
  })

  it('is under the same base path as the page', async () => {
    const auth = createTestAuth({ trustHost: true, basePath: '/api/sign-in' })
    const visitor = new Visitor(auth.handle, 'https://app.example.com/api/sign-in')
    const html = await (await visitor.get('/signin')).text()
    const [, src = ''] = /<script src="([^"]+)"/.exec(html) ?? []
    expect(src).toMatch(/^\/api\/sign-in\/assets\//)
    expect((await visitor.get(`https://app.example.com${src}`)).status).toBe(200)
  })

  it.each([
    '/assets',
    '/assets/page.js',
    '/assets/page.0000000000000000.js',
    '/assets/constructor.0000000000000000.js',
    '/assets/..%2fpackage.json',
    '/assets/%00',
    '/assets/a/b',
  ])('is nowhere else, such as at %s', async path => {
    const response = await createVisitor().get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toContain('no-store')
  })

  it('cannot be sent to', async () => {
    const visitor = createVisitor()
    const response = await visitor.post(await scriptOf(visitor))
    expect(response.status).toBe(405)
  })
})
