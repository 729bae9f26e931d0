// Compiled by `npm run check`: a module that becomes CommonJS, with a middleware that is a class, as in NestJS.
import Credentials from '@siteauth/core/providers/credentials'
import { type ExpressAuthConfig, getSession, ServerAuth } from '@siteauth/express'
import GitHub from '@siteauth/express/providers/github'
import type { NextFunction, Request, Response } from 'express'

const config: ExpressAuthConfig = {
  providers: [GitHub, Credentials({ authorize: () => ({ id: '1' }) })],
}

export class AuthMiddleware {
  readonly #auth: (req: Request, res: Response, next: NextFunction) => Promise<void> =
    ServerAuth(config)

  use(req: Request, res: Response, next: NextFunction): Promise<void> {
    return this.#auth(req, res, next)
  }
}

export class AuthGuard {
  async canActivate(req: Request): Promise<boolean> {
    return (await getSession(req, config)) !== null
  }
}
