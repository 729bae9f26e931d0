import {
  type AuthorizationParams,
  type BoundCalls,
  type SignInOptions,
  signInWish,
} from '@siteauth/core/integration'
import type { Session } from '@siteauth/core/types'
import type { HttpRequest, NestBound } from './visit.ts'

/** Where to send a visitor, as a handler with `@Redirect()` returns it. */
export interface Redirection {
  readonly url: string
  readonly statusCode: number
}

type Calls<Sess> = BoundCalls<HttpRequest, Sess>

/**
 * All that an application calls. Inject it into controllers and providers, and pass the request that `@Req()`
 * gives.
 *
 * @example
 * ```ts
 * import type { HttpRequest, Redirection, SiteAuthService } from '@siteauth/nestjs'
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
 *   logout(request: HttpRequest): Promise<Redirection> {
 *     return this.auth.signOut(request, { redirectTo: '/' })
 *   }
 * }
 * ```
 */
export class SiteAuthService<Sess = Session> implements Calls<Sess> {
  readonly #bound: NestBound<Sess>
  declare readonly update: Calls<Sess>['update']
  declare readonly rotate: Calls<Sess>['rotate']
  declare readonly listProviders: Calls<Sess>['listProviders']
  declare readonly listSessions: Calls<Sess>['listSessions']
  declare readonly endSession: Calls<Sess>['endSession']
  declare readonly endOtherSessions: Calls<Sess>['endOtherSessions']
  declare readonly endUser: Calls<Sess>['endUser']
  declare readonly getAccessToken: Calls<Sess>['getAccessToken']
  declare readonly providerFetch: Calls<Sess>['providerFetch']
  declare readonly listAccounts: Calls<Sess>['listAccounts']
  declare readonly unlinkAccount: Calls<Sess>['unlinkAccount']
  declare readonly passwords: Calls<Sess>['passwords']

  /** The module makes one. */
  constructor(bound: NestBound<Sess>) {
    this.#bound = bound
    Object.assign(this, bound.calls)
  }

  /**
   * Who is signed in, or null. Throws an `AuthError` if that is unknown. Renews the session when it is due.
   * Several calls for one request cost one read.
   */
  getSession(request: HttpRequest): Promise<Sess | null> {
    return this.#bound.session(request)
  }

  /**
   * Signs someone in. Resolves with where to send the visitor, for a handler with `@Redirect()`: to the provider,
   * to the sign-in page if none is named, or, with credentials, to where they wanted to be. Throws an `AuthError`
   * if the sign-in fails.
   */
  async signIn(
    request: HttpRequest,
    provider?: string,
    options?: SignInOptions | FormData,
    authorizationParams?: AuthorizationParams,
  ): Promise<Redirection> {
    const wish = signInWish(provider, options, authorizationParams)
    return { url: await this.#bound.signIn(request, wish), statusCode: 303 }
  }

  /** Signs the visitor out. Resolves with where to send them, for a handler with `@Redirect()`. */
  async signOut(
    request: HttpRequest,
    options?: { readonly redirectTo?: string | undefined },
  ): Promise<Redirection> {
    return { url: await this.#bound.signOut(request, options), statusCode: 303 }
  }
}
