import { auth } from '../auth.server'
import type { Route } from './+types/login'

export const action = (args: Route.ActionArgs) => auth.signIn(args)
