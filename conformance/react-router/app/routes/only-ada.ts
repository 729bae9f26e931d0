import { auth, probe } from '../auth.server'
import type { Route } from './+types/only-ada'

const { isInFront, allow } = probe

export const middleware: Route.MiddlewareFunction[] = isInFront
  ? []
  : [auth.requireSession({ except: [], allow })]

export const loader = () => new Response(probe.ran())
export const action = () => new Response(probe.ran())
