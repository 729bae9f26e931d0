import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { ServerAuth } from '@siteauth/express'
import type { ErrorRequestHandler, RequestHandler } from 'express'
import { describe, expect, it } from 'vitest'
import { configure, serve, versions, visit } from './server.ts'

for (const { name, express } of versions) {
  const parsers: Record<string, RequestHandler[]> = {
    'no parser': [],
    'express.json()': [express.json()],
    'express.urlencoded()': [express.urlencoded({ extended: false })],
    'express.urlencoded({ extended: true })': [express.urlencoded({ extended: true })],
    'both parsers': [express.json(), express.urlencoded({ extended: true })],
    'express.raw()': [express.raw({ type: '*/*' })],
    'express.text()': [express.text({ type: '*/*' })],
    'a body by somebody else': [
      (req, _res, next) => {
        const chunks: Buffer[] = []
        req.on('data', chunk => chunks.push(chunk))
        req.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const isJson = req.headers['content-type'] === 'application/json'
          req.body = isJson ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text))
          next()
        })
      },
    ],
  }

  describe(name, () => {
    async function start(before: RequestHandler[] = [], after: RequestHandler[] = []) {
      const errors: unknown[] = []
      const report: ErrorRequestHandler = (error, _req, res, _next) => {
        errors.push(error)
        res.status(error.status ?? 500).end('handled')
      }
      const app = express()
      for (const each of before) app.use(each)
      app.use('/auth', ServerAuth(configure()))
      for (const each of after) app.use(each)
      app.use(report)
      return { base: `${await serve(app)}/auth`, errors }
    }

    const forms = ['a form', 'JSON', 'multipart'] as const

    for (const [parser, handlers] of Object.entries(parsers)) {
      for (const form of forms) {
        if (parser === 'a body by somebody else' && form === 'multipart') continue
        it(`signs in with ${form} after ${parser}`, async () => {
          const { base, errors } = await start(handlers)
          const visitor = visit(base)
          const csrfToken = await visitor.csrfToken()
          const fields = { csrfToken, name: 'Ann', password: 'right' }
          const multipart = new FormData()
          for (const [key, value] of Object.entries(fields)) multipart.set(key, value)
          await visitor.send('/callback/credentials', {
            method: 'POST',
            body: {
              'a form': new URLSearchParams(fields),
              JSON: JSON.stringify(fields),
              multipart,
            }[form],
            ...(form === 'JSON' && { headers: { 'content-type': 'application/json' } }),
          })
          expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
          expect(errors).toEqual([])
        })
      }
    }

    it('works before the parsers, which then still serve the rest', async () => {
      const echo: RequestHandler = (req, res) => void res.json(req.body)
      const { base } = await start([], [express.json(), echo])
      const visitor = visit(base)
      await visitor.postJson('/callback/credentials', { password: 'right' })
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      const answer = await fetch(new URL('/elsewhere', base), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":1}',
      })
      expect(await answer.json()).toEqual({ a: 1 })
    })

    it('refuses a request without a body as one without a token', async () => {
      const { base } = await start()
      const answer = await visit(base).send('/signout', { method: 'POST' })
      expect(answer.headers.get('location')).toContain('error=MissingCSRF')
    })

    it('refuses a broken body with 400, and answers the next request', async () => {
      const { base, errors } = await start()
      const visitor = visit(base)
      const headers = { 'content-type': 'application/json' }
      const answer = await visitor.send('/signout', { method: 'POST', headers, body: '{"a":' })
      expect([answer.status, await answer.json()]).toEqual([400, 'Bad request.'])
      expect(await visitor.session()).toBeNull()
      expect(errors).toEqual([])
    })

    it('leaves what a parser refuses to the error handler', async () => {
      const { base, errors } = await start([express.json()])
      const headers = { 'content-type': 'application/json' }
      const answer = await visit(base).send('/signout', { method: 'POST', headers, body: '{"a":' })
      expect([answer.status, await answer.text()]).toEqual([400, 'handled'])
      expect(errors).toHaveLength(1)
    })

    it('hands a body that cannot be written again to the error handler', async () => {
      const circular: RequestHandler = (req, _res, next) => {
        const body: Record<string, unknown> = {}
        body['self'] = body
        req.body = body
        next()
      }
      const { base, errors } = await start([circular])
      const answer = await visit(base).send('/signout', { method: 'POST' })
      expect([answer.status, await answer.text()]).toEqual([500, 'handled'])
      expect(errors).toEqual([expect.any(TypeError)])
    })

    it.each([
      ['streamed', []],
      ['parsed', [express.urlencoded({ extended: true, limit: '10mb' })]],
    ] as const)('refuses a body that is too large with 413 when %s', async (_how, before) => {
      const { base } = await start([...before])
      const visitor = visit(base)
      const body = new URLSearchParams({ password: 'x'.repeat(3_000_000) })
      const answer = await visitor.send('/callback/credentials', { method: 'POST', body })
      expect(answer.status).toBe(413)
      expect(await visitor.session()).toBeNull()
    })

    it('serves the next request on a connection after a body that is too large', async () => {
      const { base } = await start()
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const send = (path: string, method: string, body?: string) =>
        new Promise<number | undefined>((resolve, reject) => {
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          const sent = request(`${base}${path}`, { agent, method, headers }, answer => {
            answer.resume().on('end', () => resolve(answer.statusCode))
          })
          sent.on('error', reject).end(body)
        })
      const large = send('/signout', 'POST', `x=${'x'.repeat(3_000_000)}`)
      expect(await Promise.all([large, send('/session', 'GET')])).toEqual([413, 200])
      agent.destroy()
    })

    it('reads a body of which somebody has set the encoding', async () => {
      const { base } = await start([
        (req, _res, next) => {
          req.setEncoding('utf8')
          next()
        },
      ])
      const visitor = visit(base)
      await visitor.post('/callback/credentials', { name: 'Änn', password: 'right' })
      expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
    })

    it.each(['no parser', 'express.urlencoded()', 'express.urlencoded({ extended: true })'])(
      'takes the last of several fields of one name after %s',
      async parser => {
        const { base } = await start(parsers[parser])
        const visitor = visit(base)
        const body = new URLSearchParams([
          ['csrfToken', await visitor.csrfToken()],
          ['password', 'wrong'],
          ['password', 'right'],
        ])
        await visitor.send('/callback/credentials', { method: 'POST', body })
        expect(await visitor.session()).toMatchObject({ user: { name: 'Ann' } })
      },
    )

    it('hands a compressed body that no parser has read to the error handler', async () => {
      const { base, errors } = await start()
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        'content-encoding': 'gzip',
      }
      const body = gzipSync('password=right')
      const answer = await visit(base).send('/callback/credentials', {
        method: 'POST',
        headers,
        body,
      })
      expect(answer.status).toBe(415)
      expect(String(errors[0])).toContain('express.urlencoded()')
    })

    it('survives visitors who send half a body and hang up', async () => {
      const { base, errors } = await start()
      const { port, hostname } = new URL(base)
      const head = 'POST /auth/signout HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'
      await Promise.all(
        Array.from({ length: 10 }, async () => {
          const socket = connect(Number(port), hostname)
          await new Promise(resolve => socket.write(head, resolve))
          await new Promise(resolve => setTimeout(resolve, 20))
          socket.destroy()
        }),
      )
      expect(await visit(base).session()).toBeNull()
      expect(errors).toEqual([])
    })
  })
}
