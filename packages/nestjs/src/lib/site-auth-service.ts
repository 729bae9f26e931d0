import type { AuthCalls } from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { NestRedirect } from './nest-redirect.ts'
import type { HttpRequest, NestIntegration } from './visit.ts'

/**
 * All that an application calls. Inject it into controllers and providers, and pass the request that `@Req()`
 * gives.
 *
 * @example
 * ```ts
 * import type { HttpRequest, NestRedirect, SiteAuthService } from '@siteauth/nestjs'
 *
 * // with @Controller()
 * export class LogoutController {
 *   readonly auth: SiteAuthService
 *
 *   constructor(auth: SiteAuthService) {
 *     this.auth = auth
 *   }
 *
 *   // with @Post('logout'), @Redirect(), and @Req() before the request
 *   logout(request: HttpRequest): Promise<NestRedirect> {
 *     return this.auth.signOut(request, { redirectTo: '/' })
 *   }
 * }
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns every call of the list
export class SiteAuthService<Sess = Session> {
  /** The module makes one. */
  constructor(integration: NestIntegration<Sess>) {
    Object.assign(this, integration.calls)
  }
}

// An interface that extends the list, since editors lose the comments of members that are declared by hand or mapped.
export interface SiteAuthService<Sess = Session>
  extends AuthCalls<[request: HttpRequest], NestRedirect, Sess> {}
