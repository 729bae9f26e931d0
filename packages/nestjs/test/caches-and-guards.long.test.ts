import type { ServerResponse } from 'node:http'
import 'reflect-metadata'
import {
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type HttpException,
  type INestApplication,
  Inject,
  Module,
  Post,
  Redirect,
  Req,
  Res,
  UseGuards,
} from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import {
  CurrentSession,
  type HttpRequest,
  type NestRedirect,
  Public,
  RequireSession,
  type Session,
  SessionGuard,
  SiteAuthModule,
  SiteAuthService,
} from '@siteauth/nestjs'
import { afterEach, describe, expect, it } from 'vitest'
import { config, headersOf, NEVER, SESSION } from '../../testing/test/hostile-site.ts'

const PLATFORMS: [string, () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
]

@Controller()
@Public()
class OpenController {
  readonly auth: SiteAuthService

  constructor(@Inject(SiteAuthService) auth: SiteAuthService) {
    this.auth = auth
  }

  @Get('who')
  who(@CurrentSession() session: Session | null): string {
    return `${session?.user?.name}`
  }

  @Get('open/secret')
  @RequireSession()
  secret(): string {
    return 'secret'
  }

  @Get('open/admin')
  @UseGuards(new SessionGuard({ allow: () => false }))
  admin(): string {
    return 'secret'
  }

  @Get('listed')
  listed(
    @CurrentSession() _session: unknown,
    @Res() response: ServerResponse | { raw: ServerResponse; hijack(): void },
  ): void {
    if ('hijack' in response) response.hijack()
    const res = 'raw' in response ? response.raw : response
    res.writeHead(200, ['Set-Cookie', 'own=1', 'Cache-Control', 'public'])
    res.end('page')
  }

  @Post('login')
  @Redirect()
  login(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signIn(request, 'credentials', { name: 'Eve' })
  }

  @Post('logout')
  @Redirect()
  logout(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signOut(request)
  }

  @Post('rename')
  rename(@Req() request: HttpRequest): Promise<unknown> {
    return this.auth.update(request, { name: 'Eve' })
  }
}

@Controller('closed')
@RequireSession()
class ClosedController {
  @Get()
  closed(): string {
    return 'secret'
  }

  @Get('open')
  @Public()
  open(): string {
    return 'everybody'
  }
}

const running: INestApplication[] = []

afterEach(async () => {
  for (const app of running.splice(0)) {
    app.getHttpServer().closeAllConnections()
    await app.close()
  }
})

type Send = (path: string, init?: RequestInit) => Promise<Response>

async function start(
  adapter: AbstractHttpAdapter,
  prepare: (app: INestApplication) => void = () => {},
): Promise<Send> {
  @Module({
    imports: [SiteAuthModule.forRoot(config)],
    controllers: [OpenController, ClosedController],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  running.push(app)
  prepare(app)
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address()
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
}

/** Has all answers cached, as each platform does it. */
function cacheAll(app: INestApplication): void {
  const server = app.getHttpAdapter()
  if (server.getType() === 'fastify') {
    server
      .getInstance()
      .addHook('onRequest', async (_: unknown, reply: { header(...given: string[]): void }) => {
        reply.header('cache-control', 'public, max-age=60')
        reply.header('cdn-cache-control', 'max-age=60')
      })
  } else {
    app.use((_: unknown, res: ServerResponse, next: () => void) => {
      res.setHeader('cache-control', 'public, max-age=60')
      res.setHeader('cdn-cache-control', 'max-age=60')
      next()
    })
  }
}

@Catch()
class CachingFilter implements ExceptionFilter {
  catch(exception: HttpException, host: Parameters<ExceptionFilter['catch']>[1]) {
    const response = host.switchToHttp().getResponse()
    response.header('cache-control', 'public, max-age=60')
    response.status(exception.getStatus()).send('of the application')
  }
}

describe.each(PLATFORMS)('on %s', (_, createAdapter) => {
  it('a guard before one handler counts, though its controller is public', async () => {
    const send = await start(createAdapter(), app => app.useGlobalGuards(new SessionGuard()))
    expect((await send('/who')).status).toBe(200)
    expect((await send('/open/secret')).status).toBe(401)
    expect((await send('/open/admin', { headers: await headersOf('Ada') })).status).toBe(403)
    expect((await send('/closed')).status).toBe(401)
    expect((await send('/closed/open')).status).toBe(200)
  })

  it.each([
    ['HEAD', '/closed', {}],
    ['GET', '/%63losed', {}],
    ['GET', '/closed/', {}],
    ['GET', '/CLOSED', {}],
    ['GET', '//closed', {}],
    ['GET', '/closed?x=/auth/signin', {}],
    ['GET', '/closed', { accept: '' }],
    ['GET', '/closed', { cookie: 'authjs.session-token=x' }],
    ['POST', '/closed', { 'x-http-method-override': 'GET' }],
  ])('a guard is not passed by %s %s %o', async (method, path, headers) => {
    const send = await start(createAdapter())
    const response = await send(path, { method, headers })
    expect([401, 404]).toContain(response.status)
    expect(await response.text()).not.toContain('secret')
  })

  it('no cache keeps the answer of a guard, whatever was said before or by a filter', async () => {
    for (const prepare of [
      cacheAll,
      (app: INestApplication) => app.useGlobalFilters(new CachingFilter()),
    ]) {
      const send = await start(createAdapter(), prepare)
      const { status, headers } = await send('/closed', { headers: { accept: 'text/html' } })
      expect([status, headers.get('cache-control')]).toEqual([302, NEVER])
      expect(headers.has('cdn-cache-control')).toBe(false)
    }
  })

  it('no cache keeps a guarded page that was meant for all', async () => {
    const send = await start(createAdapter(), cacheAll)
    const { headers, status } = await send('/closed', { headers: await headersOf('Ada') })
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    expect(headers.has('cdn-cache-control')).toBe(false)
  })

  it('no cache keeps a session that is renewed', async () => {
    const send = await start(createAdapter(), cacheAll)
    const { headers } = await send('/who', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    expect(headers.getSetCookie()).toEqual([SESSION])
    expect(headers.get('cache-control')).toBe(NEVER)
    expect(headers.has('cdn-cache-control')).toBe(false)
  })

  it('headers that are written as a list do not replace a renewed session', async () => {
    const send = await start(createAdapter())
    const { headers } = await send('/listed', { headers: await headersOf('Ada', { daysAgo: 2 }) })
    expect(headers.getSetCookie().sort()).toEqual([SESSION, 'own=1'])
    expect(headers.get('cache-control')).toBe(NEVER)
  })

  it('concurrent visitors each see themselves', async () => {
    const send = await start(createAdapter())
    const names = Array.from({ length: 12 }, (_each, index) => `Visitor ${index}`)
    const seen = names.map(async name =>
      (await send('/who', { headers: await headersOf(name) })).text(),
    )
    expect(await Promise.all(seen)).toEqual(names)
  })

  it.each(['/login', '/logout', '/rename'])(
    'forms of other sites are refused by %s',
    async path => {
      const send = await start(createAdapter())
      const headersOfAda = await headersOf('Ada')
      for (const foreign of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
        const headers = { ...headersOfAda, ...foreign, 'content-type': 'application/json' }
        const response = await send(path, { method: 'POST', headers, body: '{}' })
        expect([foreign, response.status]).toEqual([foreign, 500])
        expect(response.headers.getSetCookie()).toEqual([])
        expect(await response.text()).not.toContain('session-token')
      }
    },
  )

  it.each([
    ['too large', 'application/x-www-form-urlencoded', 'a='.padEnd(300_000, 'x')],
    ['of no JSON', 'application/json', '{"a":'],
    ['with keys of prototypes', 'application/json', '{"__proto__":{"csrfToken":"x"}}'],
    ['of an unknown charset', 'application/x-www-form-urlencoded; charset=utf-7', '+ADw-=1'],
    ['of a broken multipart', 'multipart/form-data; boundary=x', '--y\r\n'],
  ])('a body %s signs nobody in', async (_name, type, body) => {
    const send = await start(createAdapter())
    const headers = { 'content-type': type }
    const response = await send('/auth/callback/credentials', { method: 'POST', headers, body })
    expect(response.headers.getSetCookie().join()).not.toContain('session-token=')
    expect(response.status).toBeGreaterThanOrEqual(300)
    expect(response.status).toBeLessThan(500)
  })
})
