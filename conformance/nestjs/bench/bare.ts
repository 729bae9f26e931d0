import { Controller, Get, Module } from '@nestjs/common'
import { user } from '../../../bench/lib/site.mjs'

@Controller()
class WhoController {
  @Get('who')
  who() {
    return { hello: user.name }
  }
}

@Module({ controllers: [WhoController] })
export class AppModule {}
