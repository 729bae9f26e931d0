import { type CanActivate, type ExecutionContext, HttpException } from '@nestjs/common'
import { GUARDS_METADATA } from '@nestjs/common/constants.js'
import type { RequireSessionOptions, WireResponse } from '@siteauth/core/integration'
import { preventCaching } from '@siteauth/core/internal'
import { requestOf } from './request-of.ts'
import { visitOf } from './visit.ts'

/** The metadata key of a class or a handler that a guard lets everybody see. */
export const PUBLIC = 'siteauth:public'

/**
 * Lets a request through if a user is signed in. People are sent to sign in, with `callbackUrl` naming the page to return
 * to; programs get 401. Users that `allow` rejects get 403, and everybody gets 503 while the store is down. For all of an
 * application: `app.useGlobalGuards(new SessionGuard())`, and `@Public()` on what everybody may see, such as a sign-in
 * page of the application's own. Paths make no difference.
 */
export class SessionGuard implements CanActivate {
  readonly #options: RequireSessionOptions

  constructor(options: RequireSessionOptions = {}) {
    this.#options = options
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (isPublic(context)) return true
    const request = requestOf(context)
    const { integration, res } = visitOf(request)
    const { denial } = await integration.guard(request, this.#options)
    if (!denial) return true
    const { headers, status, body } = denial.response
    // Filters of the application decide how an exception looks, and leave headers as they are.
    for (const name of FORWARDED) if (headers[name]) res.setHeader(name, headers[name])
    preventCaching(res)
    throw new HttpException(
      body && isJson(denial.response) ? JSON.parse(body) : reasonOf(status),
      status,
    )
  }
}

const FORWARDED = ['Location', 'Vary']

/**
 * What is nearest to the handler counts; of a guard and `Public` at the same place, the guard. Any guard counts
 * beside a handler, since it may use one of ours.
 */
function isPublic(context: ExecutionContext): boolean {
  const nearest = [context.getHandler(), context.getClass()].find(
    target => isMarkedPublic(target) || guardsOf(target).length > 0,
  )
  return nearest !== undefined && isMarkedPublic(nearest) && !hasGuard(nearest)
}

/** A class does not inherit `Public`: handlers that it adds to a public class are not public. */
function isMarkedPublic(target: object): boolean {
  return Reflect.getOwnMetadata(PUBLIC, target) === true
}

function guardsOf(target: object): readonly unknown[] {
  return Reflect.getMetadata(GUARDS_METADATA, target) ?? []
}

/** Whether one of ours was put there by name, be it an instance or a class. */
function hasGuard(target: object): boolean {
  return guardsOf(target).some(
    guard =>
      guard instanceof SessionGuard ||
      guard === SessionGuard ||
      (typeof guard === 'function' && guard.prototype instanceof SessionGuard),
  )
}

function isJson({ headers }: WireResponse): boolean {
  return headers['Content-Type']?.startsWith('application/json') ?? false
}

function reasonOf(status: number): { error: string } {
  switch (status) {
    case 400:
      return { error: 'Bad Request' }
    case 302:
      return { error: 'Unauthorized' }
    case 403:
      return { error: 'Forbidden' }
    case 503:
      return { error: 'Service Unavailable' }
    case 508:
      return { error: 'Loop Detected' }
    default:
      return { error: 'Internal Server Error' }
  }
}
