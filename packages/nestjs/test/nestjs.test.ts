import 'reflect-metadata'
import {
  Catch,
  Controller,
  type ExceptionFilter,
  Get,
  type HttpException,
  type INestApplication,
  Module,
  Res,
} from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { defineConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { CurrentSession, Public, SessionGuard, SiteAuthModule } from '@siteauth/nestjs'
import { afterEach, describe, expect, it } from 'vitest'
import { signInAs } from '../../testing/src/index.ts'

const config = defineConfig({
  secret: 'a test secret that is long enough!',
  trustHost: true,
  logger: { error() {}, warn() {}, debug() {} },
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: '1', name: `${name}` }),
    }),
  ],
})

const PAGE = { accept: 'text/html' }
const SESSION = expect.stringMatching(/^authjs\.session-token=.+/)
const PLATFORMS: [string, () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
]

/** The headers of Ada, who signed in some days ago. */
async function headersOfAda(days = 0): Promise<{ cookie: string }> {
  const at = new Date(Date.now() - days * 86_400_000)
  const ada = { id: '1', name: 'Ada' }
  return (await signInAs(config, ada, { url: 'http://localhost', at, env: { NODE_ENV: 'test' } }))
    .headers
}

const running: INestApplication[] = []

afterEach(async () => {
  for (const app of running.splice(0)) {
    app.getHttpServer().closeAllConnections()
    await app.close()
  }
})

@Controller()
class PagesController {
  @Get()
  @Public()
  home(): string {
    return 'everybody'
  }

  @Get('mine')
  mine(): string {
    return 'mine'
  }

  @Get('cookies')
  cookies(
    @CurrentSession() _session: unknown,
    @Res({ passthrough: true }) reply: { header(name: string, value: string): unknown },
  ): string {
    reply.header('set-cookie', 'own=1')
    reply.header('cache-control', 'public, max-age=60')
    return 'page'
  }
}

async function start(
  adapter: AbstractHttpAdapter,
  prepare: (app: INestApplication) => void = () => {},
): Promise<(path: string, headers?: Record<string, string>) => Promise<Response>> {
  @Module({
    imports: [SiteAuthModule.forRootAsync({ useFactory: async () => config })],
    controllers: [PagesController],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  running.push(app)
  prepare(app)
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address()
  return (path, headers = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers, redirect: 'manual' })
}

describe.each(PLATFORMS)('on %s', (_, createAdapter) => {
  it('a guard for all leaves out what is public, and the endpoints', async () => {
    const get = await start(createAdapter(), app => app.useGlobalGuards(new SessionGuard()))
    expect(await (await get('/')).text()).toBe('everybody')
    expect((await get('/mine')).status).toBe(401)
    expect((await get('/auth/csrf')).status).toBe(200)
    const mine = await get('/mine', await headersOfAda())
    expect(await mine.text()).toBe('mine')
    expect(mine.headers.get('cache-control')).toBe('private, no-cache')
  })

  it('people are sent to sign in, whatever filter the application has', async () => {
    @Catch()
    class OwnFilter implements ExceptionFilter {
      catch(exception: HttpException, host: Parameters<ExceptionFilter['catch']>[1]) {
        const response = host.switchToHttp().getResponse()
        response.status(exception.getStatus()).send('of the application')
      }
    }
    const get = await start(createAdapter(), app => {
      app.useGlobalGuards(new SessionGuard({ redirectTo: '/login' }))
      app.useGlobalFilters(new OwnFilter())
    })
    const away = await get('/mine', PAGE)
    expect([away.status, away.headers.get('location')]).toEqual([302, '/login?callbackUrl=%2Fmine'])
  })

  it('a renewed session goes beside cookies of the application, past what it says to caches', async () => {
    const get = await start(createAdapter())
    const { headers } = await get('/cookies', await headersOfAda(2))
    expect(headers.getSetCookie().sort()).toEqual([SESSION, 'own=1'])
    expect(headers.get('cache-control')).toBe('private, no-cache, no-store')
  })

  it('the endpoints stay where they are below a global prefix', async () => {
    const get = await start(createAdapter(), app => app.setGlobalPrefix('api'))
    expect((await get('/auth/csrf')).status).toBe(200)
    expect(await (await get('/api')).text()).toBe('everybody')
  })

  it('a visitor who says to be a proxy is not believed', async () => {
    const get = await start(createAdapter())
    const forged = { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }
    expect(await (await get('/auth/providers', forged)).text()).not.toContain('evil.example')
  })
})
