import type { ExecutionContext } from '@nestjs/common'
import type { HttpRequest } from './visit.ts'

/** The request that a guard or a decorator is about. */
export function requestOf(context: ExecutionContext): HttpRequest {
  const type = context.getType<string>()
  if (type === 'http') return context.switchToHttp().getRequest<HttpRequest>()
  throw new TypeError(
    `Sessions come with HTTP requests, and this is "${type}". Pass the request to SiteAuthService instead.`,
  )
}
