import type { IncomingMessage, ServerResponse } from 'node:http'
import { All, Controller, Get, Module, Req, Res } from '@nestjs/common'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { betterAuthOptions } from '../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))
const handle = toNodeHandler(auth)

@Controller()
class WhoController {
  @All('api/auth/*splat')
  auth(@Req() request: IncomingMessage, @Res() response: ServerResponse) {
    return handle(request, response)
  }

  @Get('who')
  async who(@Req() request: IncomingMessage) {
    const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
    return { hello: session?.user.name }
  }
}

@Module({ controllers: [WhoController] })
export class AppModule {}

/** It reads bodies itself. */
export const options = { bodyParser: false }
