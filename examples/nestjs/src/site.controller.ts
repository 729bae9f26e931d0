import { Controller, Get, Post, Redirect, Req } from '@nestjs/common'
import {
  CurrentSession,
  type HttpRequest,
  type NestRedirect,
  RequireSession,
  type Session,
  SiteAuthService, // not as a type: Nest injects by it
} from '@siteauth/nestjs'
import { html } from './html.js'

@Controller()
export class SiteController {
  constructor(private readonly auth: SiteAuthService) {}

  @Get()
  home(@CurrentSession() session: Session | null): string {
    return session
      ? html`<p>Hello, ${session.user?.name}. <a href="/account">Your account</a></p>
          <form method="post" action="/logout"><button>Sign out</button></form>`
      : html`<p>Hello, stranger. <a href="/account">Your account</a></p>
          <form method="post" action="/login"><button>Sign in</button></form>`
  }

  @Get('account')
  @RequireSession()
  account(@CurrentSession() session: Session): string {
    return html`<p>The account of ${session.user?.name}</p>`
  }

  @Get('api/me')
  @RequireSession()
  me(@CurrentSession() session: Session): Session['user'] {
    return session.user
  }

  @Post('login')
  @Redirect()
  login(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signIn(request)
  }

  @Post('logout')
  @Redirect()
  logout(@Req() request: HttpRequest): Promise<NestRedirect> {
    return this.auth.signOut(request, { redirectTo: '/' })
  }
}
