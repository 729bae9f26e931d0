import { Controller, Get, Module } from '@nestjs/common'
import { CurrentSession, type Session, SiteAuthModule } from '@siteauth/nestjs'
import { ourConfig } from '../../../bench/lib/site.mjs'

@Controller()
class WhoController {
  @Get('who')
  who(@CurrentSession() session: Session | null) {
    return { hello: session?.user?.name }
  }
}

@Module({ imports: [SiteAuthModule.forRoot(ourConfig)], controllers: [WhoController] })
export class AppModule {}
