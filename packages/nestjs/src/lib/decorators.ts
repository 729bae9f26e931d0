import {
  type CustomDecorator,
  createParamDecorator,
  type ExecutionContext,
  SetMetadata,
  UseGuards,
} from '@nestjs/common'
import type { RequireSessionOptions } from '@siteauth/core/integration'
import { requestOf } from './request-of.ts'
import { PUBLIC, SessionGuard } from './session-guard.ts'
import { visitOf } from './visit.ts'

/** Who is signed in, or null, as a parameter of a handler. Renews the session when it is due. */
export const CurrentSession: () => ParameterDecorator = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => {
    const request = requestOf(context)
    return visitOf(request).integration.calls.getSession(request)
  },
)

/** Puts a {@link SessionGuard} before a controller, or before one of its handlers. */
export function RequireSession(options?: RequireSessionOptions): ClassDecorator & MethodDecorator {
  return UseGuards(new SessionGuard(options))
}

/**
 * Lets everybody see a controller, or what one of its handlers answers, where a guard is before all of them. In a
 * public controller, a handler with a guard of its own stays guarded.
 */
export function Public(): CustomDecorator<string> {
  return SetMetadata(PUBLIC, true)
}
