import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AuthInstance, SiteAuth } from '@siteauth/express'
import type { Response as Answer, Express, RequestHandler } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { memoryAdapter } from '../../core/test/spec/memory-adapter.ts'
import { configure, sendRaw, serve, versions, visit, visitAsAnn } from './server.ts'

const DAY = 24 * 60 * 60 * 1000
const PUBLIC = 'public, max-age=31536000'
const NEVER = 'private, no-cache, no-store'

let files: string

beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), 'caches-'))
  writeFileSync(join(files, 'file.txt'), 'still')
})

afterAll(() => rmSync(files, { recursive: true }))

const targeted = {
  'CDN-Cache-Control': 'max-age=600',
  'Cloudflare-CDN-Cache-Control': 'max-age=600',
  'Surrogate-Control': 'max-age=600',
  'Edge-Control': '!no-store, max-age=1d',
  'X-Accel-Expires': '600',
  'X-LiteSpeed-Cache-Control': 'public, max-age=600',
}

/** A default for all pages, said before anything of ours runs. */
const cacheAll: RequestHandler = (_req, res, next) => {
  res.set({ ...targeted, 'Cache-Control': PUBLIC })
  next()
}

/** The same by a hook, as the package on-headers sets it: said when the headers are about to be written. */
const cacheAllLate: RequestHandler = (_req, res, next) => {
  const writeHead = res.writeHead.bind(res) as (...given: unknown[]) => typeof res
  res.writeHead = (...given: unknown[]) => {
    res.set({ ...targeted, 'Cache-Control': PUBLIC })
    res.appendHeader('CDN-Cache-Control', 'max-age=600')
    return writeHead(...given)
  }
  next()
}

/** How an application may say that caches keep its answer. */
const ways: Record<string, (res: Answer) => unknown> = {
  'by a header': res => res.set('Cache-Control', PUBLIC).send('x'),
  'while it streams': res => {
    res.setHeader('Cache-Control', PUBLIC)
    res.write('x')
    res.end('y')
  },
  'with writeHead': res => res.writeHead(200, { 'cache-control': PUBLIC }).end('x'),
  'with writeHead and a reason': res => res.writeHead(200, 'OK', { 'Cache-Control': PUBLIC }).end(),
  'with writeHead and a list': res => res.writeHead(200, ['Cache-Control', PUBLIC]).end('x'),
  'with headers for some caches': res => res.set(targeted).send('x'),
  'with headers for some caches in writeHead': res => res.writeHead(200, targeted).end('x'),
  'for an answer that is not new': res => res.set('Cache-Control', PUBLIC).status(304).end(),
}

for (const { name, express } of versions) {
  describe.each(['jwt', 'database'] as const)(`${name}, sessions by %s`, strategy => {
    async function start(build: (app: Express, auth: AuthInstance) => void) {
      const clock = { now: Date.now() }
      const store = memoryAdapter([{ id: '1', name: 'Ann', email: 'ann@example.test' }])
      const config = configure({
        ports: { now: () => clock.now },
        ...(strategy === 'database' && { adapter: store.adapter }),
      })
      const auth = SiteAuth(config)
      const app = express()
      build(app, auth)
      app.use('/auth', auth.handler)
      const origin = await serve(app)
      return { clock, origin, ann: await visitAsAnn(`${origin}/auth`) }
    }

    function expectUnkept(answer: Response): void {
      expect(answer.headers.getSetCookie()).toHaveLength(1)
      expectPrivate(answer, NEVER)
    }

    function expectPrivate({ headers }: Response, said: string): void {
      expect(headers.get('cache-control')).toBe(said)
      expect(Object.keys(targeted).filter(each => headers.has(each))).toEqual([])
    }

    it.each(Object.entries(ways))(
      'no cache keeps a renewed session, said %s',
      async (_how, answer) => {
        const { clock, origin, ann } = await start((app, auth) => {
          app.use('/page', auth.sessionMiddleware)
          app.use('/guarded', auth.requireSession())
          app.get(['/page', '/guarded'], (_req, res) => void answer(res))
          app.get('/asked', async (req, res) => {
            await auth.getSession(req)
            answer(res)
          })
        })
        for (const path of ['/page', '/asked', '/guarded']) {
          clock.now += 2 * DAY
          expectUnkept(await ann.get(origin + path))
        }
      },
    )

    it('no cache keeps a file, or that it has not changed, with a renewed session', async () => {
      const { clock, origin, ann } = await start((app, auth) => {
        app
          .use('/files', auth.sessionMiddleware)
          .use('/files', express.static(files, { maxAge: '1y', immutable: true }))
      })
      clock.now += 2 * DAY
      const file = await ann.get(`${origin}/files/file.txt`)
      expectUnkept(file)
      clock.now += 2 * DAY
      // `fetch` would add that it wants the file anew.
      const sent = { 'if-none-match': file.headers.get('etag') ?? '', cookie: ann.cookieHeader() }
      const unchanged = await sendRaw(`${origin}/files/file.txt`, sent)
      expect(unchanged.statusCode).toBe(304)
      expect(unchanged.headers['set-cookie']).toHaveLength(1)
      expect(unchanged.headers['cache-control']).toBe(NEVER)
    })

    it('no cache keeps that a session has ended', async () => {
      const { clock, origin, ann } = await start((app, auth) => {
        app
          .use('/files', auth.sessionMiddleware)
          .use('/files', express.static(files, { maxAge: '1y' }))
      })
      clock.now += 31 * DAY
      expectUnkept(await ann.get(`${origin}/files/file.txt`))
    })

    it('no cache keeps a script of ours with a renewed session', async () => {
      const { clock, origin, ann } = await start((app, auth) => app.use(auth.sessionMiddleware))
      const page = await (await ann.get(`${origin}/auth/signin`)).text()
      const script = /src="([^"]*assets[^"]*)"/.exec(page)?.[1] ?? ''
      expect((await ann.get(origin + script)).headers.get('cache-control')).toContain('public')
      clock.now += 2 * DAY
      expectUnkept(await ann.get(origin + script))
    })

    it('no cache keeps who has just signed in', async () => {
      const { origin } = await start((app, auth) => {
        app.get('/enter', async (req, res) => {
          const options = { password: 'right', redirect: false }
          await auth.signIn(req, 'credentials', options)
          res.set('Cache-Control', PUBLIC).send('entered')
        })
      })
      const answer = await visit(origin).get('/enter')
      expect(answer.headers.getSetCookie().length).toBeGreaterThan(0)
      expect(answer.headers.get('cache-control')).toBe(NEVER)
    })

    it('what a guard let pass is for one visitor', async () => {
      const { origin, ann } = await start((app, auth) => {
        app
          .use('/files', auth.requireSession())
          .use('/files', express.static(files, { maxAge: '1y' }))
        app.get('/json', auth.requireSession(), (_req, res) => void res.json('members only'))
      })
      for (const path of ['/files/file.txt', '/json']) {
        const { headers } = await ann.get(origin + path)
        expect(headers.get('cache-control')).toBe('private, no-cache')
      }
    })

    it.each([
      ['before', cacheAll],
      ['by a hook', cacheAllLate],
    ])('no cache keeps a renewed session where all pages are public, said %s', async (_, all) => {
      const { clock, origin, ann } = await start((app, auth) => {
        app.use(all)
        app.get('/page', auth.sessionMiddleware, (_req, res) => void res.send('x'))
      })
      clock.now += 2 * DAY
      expectUnkept(await ann.get(`${origin}/page`))
    })

    it.each([
      ['before', cacheAll],
      ['by a hook', cacheAllLate],
    ])('no cache keeps our own answers where all pages are public, said %s', async (_, all) => {
      const { origin, ann } = await start((app, auth) => {
        app.use(all)
        app.get('/members', auth.requireSession(), (_req, res) => void res.send('x'))
      })
      for (const path of ['session', 'csrf', 'signin', 'nowhere']) {
        expectPrivate(await ann.get(`${origin}/auth/${path}`), NEVER)
      }
      for (const accept of ['text/html', 'application/json']) {
        expectPrivate(await visit(origin).get('/members', { accept }), NEVER)
      }
    })

    it('what a guard let pass is for one visitor where all pages are public', async () => {
      const { origin, ann } = await start((app, auth) => {
        app.use(cacheAll)
        app.get('/json', auth.requireSession(), (_req, res) => void res.json('members only'))
      })
      expectPrivate(await ann.get(`${origin}/json`), 'private, no-cache')
    })

    it('a guard loosens nothing that was said before it', async () => {
      const { origin, ann } = await start((app, auth) => {
        app.use((_req, res, next) => {
          res.set('Cache-Control', 'no-store')
          next()
        })
        app.get('/json', auth.requireSession(), (_req, res) => void res.json('members only'))
      })
      expectPrivate(await ann.get(`${origin}/json`), 'no-store')
    })

    it('the application has the last word on what a guard let pass', async () => {
      const { origin, ann } = await start((app, auth) => {
        app.get('/same', auth.requireSession(), (_req, res) => {
          res.set('Cache-Control', PUBLIC).send('the same for all members')
        })
      })
      expect((await ann.get(`${origin}/same`)).headers.get('cache-control')).toBe(PUBLIC)
    })

    it('what strangers see, and members whose session stays, may be kept', async () => {
      const { origin, ann } = await start((app, auth) => {
        app
          .use('/files', auth.sessionMiddleware)
          .use('/files', express.static(files, { maxAge: '1y' }))
      })
      for (const visitor of [visit(origin), ann]) {
        const { headers } = await visitor.get(`${origin}/files/file.txt`)
        expect(headers.get('cache-control')).toBe(PUBLIC)
      }
    })
  })
}
