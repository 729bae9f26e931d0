import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import 'reflect-metadata'
import {
  All,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Module,
  UseGuards,
} from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import { ExpressAdapter } from '@nestjs/platform-express'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { AuthConfig } from '@siteauth/core'
import { Public, RequireSession, SessionGuard, SiteAuthModule } from '@siteauth/nestjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { config, headersOf } from '../../testing/test/hostile-site.ts'
import {
  expectHostRejected,
  openPage,
  PAGE,
  type Send,
  sendTo,
} from '../../testing/test/raw-visits.ts'

const PLATFORMS: [string, () => AbstractHttpAdapter][] = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
]

/** How often a handler has run that nobody may reach. */
let ran = 0

@Controller()
class GuardedController {
  @Get('account')
  @RequireSession()
  account(): string {
    return `secret ${++ran}`
  }

  @Get('account/*')
  @RequireSession()
  below(): string {
    return `secret ${++ran}`
  }

  @Get('admin')
  @RequireSession({ allow: () => false })
  admin(): string {
    return `secret ${++ran}`
  }
}

@Controller()
class LoginController {
  @Get('login')
  @Public()
  login(): string {
    return 'sign in'
  }
}

@Controller()
class AnythingController {
  @All('*')
  anything(): string {
    return `secret ${++ran}`
  }
}

const running: INestApplication[] = []

afterEach(async () => {
  ran = 0
  for (const app of running.splice(0)) {
    app.getHttpServer().closeAllConnections()
    await app.close()
  }
})

async function start(
  adapter: AbstractHttpAdapter,
  controllers: (new () => object)[],
  over: Partial<AuthConfig> = {},
  guard?: SessionGuard,
): Promise<Send> {
  const own = { ...config, pages: { signIn: '/login' }, ...over }
  @Module({ imports: [SiteAuthModule.forRoot(own)], controllers })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  running.push(app)
  if (guard) app.useGlobalGuards(guard)
  await app.listen(0, '127.0.0.1')
  const { port } = app.getHttpServer().address() as AddressInfo
  return sendTo(`http://127.0.0.1:${port}`)
}

/** A guard of the application's own that asks ours. */
class StaffGuard implements CanActivate {
  readonly #guard = new SessionGuard({ allow: () => false })

  canActivate(context: ExecutionContext): Promise<boolean> {
    return this.#guard.canActivate(context)
  }
}

@Controller('open')
@Public()
class OpenController {
  @Get()
  open(): string {
    return 'open'
  }

  @Get('staff')
  @UseGuards(new StaffGuard())
  staff(): string {
    return `secret ${++ran}`
  }
}

@Public()
class OpenBase {}

@Controller('derived')
class DerivedController extends OpenBase {
  @Get()
  derived(): string {
    return `secret ${++ran}`
  }
}

describe.each(PLATFORMS)('on %s', (_, createAdapter) => {
  it('a public controller opens neither what has a guard of its own nor what is derived from it', async () => {
    const controllers = [OpenController, DerivedController]
    const send = await start(createAdapter(), controllers, {}, new SessionGuard())
    expect((await send('/open')).body).toBe('open')
    expect((await send('/open/staff')).status).toBe(401)
    expect((await send('/open/staff', await headersOf('Ben'))).status).toBe(403)
    expect((await send('/derived')).status).toBe(401)
    expect(ran).toBe(0)
  })

  it('a second configuration is an error, since it would decide for the guards of the first', async () => {
    const own = { ...config, basePath: '/staff' }
    @Module({ imports: [SiteAuthModule.forRoot(own)] })
    class StaffModule {}
    @Module({ imports: [StaffModule, SiteAuthModule.forRoot(config)] })
    class AppModule {}
    const options = { logger: false, abortOnError: false } as const
    const app = await NestFactory.create(AppModule, createAdapter(), options)
    await expect(app.init()).rejects.toThrow('configured twice')
  })

  describe.each([
    ['AUTH_URL is set', { AUTH_URL: 'http://localhost' }, { trustHost: undefined }],
    ['AUTH_TRUST_HOST is set', { AUTH_TRUST_HOST: 'true' }, { trustHost: undefined }],
  ])('a malformed Host header opens no guarded route if %s', (_, env, over) => {
    it.each(['evil\\login?', 'evil/login?', 'evil\\login#', 'evil/login#', 'evil#', ''])(
      '%j',
      async host => {
        for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
        const send = await start(createAdapter(), [GuardedController], over)
        const ben = await headersOf('Ben')
        await expectHostRejected(send, host, ben)
        expect(ran).toBe(0)
        expect((await send('/account', ben)).body).toBe('secret 1')
        expect((await send('/admin', ben)).status).toBe(403)
      },
    )
  })

  it.each([
    '/account/../login',
    '/account/%2e%2e/login',
    '/account/..\\login',
    '/account/x/%2E%2E/%2e%2e/login',
    '/account/..;/login',
  ])('%s does not show what is below /account', async target => {
    const send = await start(createAdapter(), [LoginController, GuardedController])
    const { status } = await send(target, PAGE)
    expect(ran).toBe(0)
    expect(status).toBe(302)
    expect((await send(target)).status).toBe(401)
  })

  it.each([
    '//login',
    '///login',
    '/\\login',
    '/.//login',
    '/login;x',
    'http://evil.example//login',
  ])('%s is not the sign-in page to a guard for everything', async target => {
    const controllers = [LoginController, AnythingController]
    const send = await start(createAdapter(), controllers, {}, new SessionGuard())
    const { status, location } = await send(target, PAGE)
    expect(ran).toBe(0)
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/login\?callbackUrl=/)])
    expect(await send('/login', PAGE)).toMatchObject({ status: 200, body: 'sign in' })
    expect((await send('/login', {}, 'POST')).status).toBe(401)
  })

  it('HTTP/1.0 need not name a host', async () => {
    await start(createAdapter(), [GuardedController])
    const address = running.at(-1)?.getHttpServer().address() as AddressInfo
    const { cookie } = await headersOf('Ada')
    for (const [headers, expected] of [
      ['', / 401 /],
      [`Cookie: ${cookie}\r\n`, / 200 .*secret 1$/s],
    ] as const) {
      const socket = connect(address.port, '127.0.0.1')
      socket.write(`GET /account HTTP/1.0\r\n${headers}\r\n`)
      let text = ''
      for await (const chunk of socket) text += chunk
      expect(text).toMatch(expected)
    }
  })

  it('a sign-in page without @Public() ends in 508, and the log says so once', async () => {
    const errors: Error[] = []
    const logger = { ...config.logger, error: (error: Error) => void errors.push(error) }
    const controllers = [AnythingController]
    const send = await start(createAdapter(), controllers, { logger }, new SessionGuard())
    for (let time = 0; time < 3; time++) {
      const visited = await openPage(send, '/')
      expect([visited.length, visited.at(-1)?.status]).toEqual([2, 508])
      expect(visited.at(-1)?.body).toBe('{"error":"Loop Detected"}')
    }
    expect(ran).toBe(0)
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('The sign-in page /login is behind the guard'),
    ])
  })
})
