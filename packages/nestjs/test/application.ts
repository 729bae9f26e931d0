import { Readable } from 'node:stream'
import 'reflect-metadata'
import {
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
  UnauthorizedException,
} from '@nestjs/common'
import { type AbstractHttpAdapter, NestFactory } from '@nestjs/core'
import type { AuthConfig } from '@siteauth/core'
import {
  CredentialsSignin,
  CurrentSession,
  type HttpRequest,
  type Redirection,
  RequireSession,
  type Session,
  SiteAuthModule,
  SiteAuthService,
} from '@siteauth/nestjs'

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
  @Redirect()
  async login(@Req() request: HttpRequest, @Body() form: object): Promise<Redirection> {
    try {
      return await this.auth.signIn(request, 'credentials', { ...form, redirectTo: '/private' })
    } catch (error) {
      if (error instanceof CredentialsSignin) throw new UnauthorizedException()
      throw error
    }
  }

  @Post('logout')
  @Redirect()
  logout(@Req() request: HttpRequest): Promise<Redirection> {
    return this.auth.signOut(request, { redirectTo: '/' })
  }

  @Post('rename')
  rename(@Req() request: HttpRequest, @Body() { name }: { name: string }): Promise<unknown> {
    return this.auth.update(request, { name })
  }
}

/** The application that the suite asks for. */
export function createApp(
  config: AuthConfig,
  adapter: AbstractHttpAdapter,
): Promise<INestApplication> {
  @Module({ imports: [SiteAuthModule.forRoot(config)], controllers: [PagesController] })
  class AppModule {}
  return NestFactory.create(AppModule, adapter, { logger: false })
}
