import { Controller, Get, Module, Post, Redirect, Req } from '@nestjs/common'
import GitHub from '@siteauth/core/providers/github'
import {
  CurrentSession,
  type HttpRequest,
  type NestRedirect,
  RequireSession,
  type Session,
  SiteAuthModule,
  type SiteAuthService,
} from '@siteauth/nestjs'

@Controller()
class AppController {
  constructor(private readonly auth: SiteAuthService) {}

  // #region read
  @Get()
  home(@CurrentSession() session: Session | null): Session | null {
    return session
  }
  // #endregion

  // #region guard
  @Get('account')
  @RequireSession()
  account(@CurrentSession() session: Session): Session['user'] {
    return session.user
  }
  // #endregion

  // #region allow
  @Get('ada')
  @RequireSession({ allow: ({ user }) => user?.email === 'ada@example.com' })
  ada(): string {
    return 'Hello, Ada'
  }
  // #endregion

  // #region role
  @Get('edit')
  @RequireSession({ allow: ({ user = {} }) => 'role' in user && user.role === 'editor' })
  edit(): string {
    return 'Hello, editor'
  }
  // #endregion

  // #region sign-in-and-out
  @Post('login')
  @Redirect()
  login(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signIn(request, 'github')
  }

  @Post('logout')
  @Redirect()
  logout(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signOut(request, { redirectTo: '/' })
  }
  // #endregion

  // #region access-token
  @Get('token')
  async token(@Req() request: HttpRequest): Promise<{ expiresAt: Date | null }> {
    const { expiresAt } = await this.auth.accounts.getAccessToken(request, 'github')
    return { expiresAt }
  }
  // #endregion
}

// #region create
const auth = SiteAuthModule.forRoot({ providers: [GitHub], session: { expose: ['role'] } })
// #endregion

// #region endpoints
@Module({ imports: [auth], controllers: [AppController] })
export class AppModule {}
// #endregion
