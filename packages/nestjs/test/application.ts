import { Readable } from 'node:stream'
import 'reflect-metadata'
import {
  All,
  Body,
  Controller,
  Get,
  Header,
  type INestApplication,
  Inject,
  Module,
  Post,
  Redirect,
  Req,
  StreamableFile,
  type Type,
  UnauthorizedException,
} from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import type { AuthConfig } from '@siteauth/core'
import {
  CredentialsSignin,
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
import type { GuardProbe } from '../../testing/src/integration-config.ts'

@Controller()
class PagesController {
  readonly auth: SiteAuthService

  constructor(@Inject(SiteAuthService) auth: SiteAuthService) {
    this.auth = auth
  }

  @Get()
  @Header('content-type', 'text/html')
  home(@CurrentSession() session: Session | null): string {
    return `Hello, ${session?.user?.name ?? 'stranger'}`
  }

  @Get('api/me')
  @Header('content-type', 'application/json')
  async me(@Req() request: HttpRequest): Promise<string> {
    return JSON.stringify(await this.auth.getSession(request))
  }

  @Get('private')
  @RequireSession()
  private(@CurrentSession() session: Session): string {
    return `Private: ${session.user?.name}`
  }

  @Get('admin')
  @RequireSession({ allow: ({ user }) => user?.name === 'Ada' })
  admin(): string {
    return 'admin'
  }

  @Get('stream')
  stream(@CurrentSession() session: Session | null): StreamableFile {
    const name = session?.user?.name
    return new StreamableFile(Readable.from([`${name} first, `, `${name} second`]))
  }

  @Get('still.txt')
  still(): string {
    return 'still'
  }

  @Post('login')
  @Public()
  @Redirect()
  async login(@Req() request: HttpRequest, @Body() form: object): Promise<NestRedirect> {
    try {
      return await this.auth.signIn(request, 'credentials', { ...form, redirectTo: '/private' })
    } catch (error) {
      if (error instanceof CredentialsSignin) throw new UnauthorizedException()
      throw error
    }
  }

  @Post('logout')
  @Redirect()
  logout(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signOut(request, { redirectTo: '/' })
  }

  @Post('rename')
  rename(@Req() request: HttpRequest, @Body() { name }: { name: string }): Promise<unknown> {
    return this.auth.update(request, { name })
  }
}

/** The routes whose guards the suite attacks. */
function createAttacked(probe: GuardProbe): Type[] {
  const guard = probe.isInFront ? unguarded : RequireSession()
  const onlyAda = probe.isInFront ? unguarded : RequireSession({ allow: probe.allow })

  @Controller()
  class AttackedController {
    @Get('ran')
    @Public()
    count(): string {
      return String(probe.count)
    }

    @Get('login')
    @Public()
    signInPage(): string {
      return probe.signInPage
    }

    @Get('files/*')
    @guard
    files(): string {
      return probe.ran()
    }

    @Get('item/:id')
    @guard
    item(): string {
      return probe.ran()
    }

    @Get('only-ada')
    @onlyAda
    onlyAda(): string {
      return probe.ran()
    }
  }

  @Controller()
  class AnythingController {
    @All('*')
    anything(): string {
      return probe.ran()
    }
  }

  return probe.isInFront ? [AttackedController, AnythingController] : [AttackedController]
}

const unguarded: MethodDecorator = () => {}

/** The application that the suite asks for. */
export async function createApp(
  config: AuthConfig,
  adapter: AbstractHttpAdapter,
  probe: GuardProbe,
): Promise<INestApplication> {
  @Module({
    imports: [SiteAuthModule.forRoot(config)],
    controllers: [PagesController, ...createAttacked(probe)],
  })
  class AppModule {}
  const app = await NestFactory.create(AppModule, adapter, { logger: false })
  if (probe.isInFront) app.useGlobalGuards(new SessionGuard({ allow: probe.allow }))
  return app
}
