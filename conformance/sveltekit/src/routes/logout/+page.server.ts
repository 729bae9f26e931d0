import { auth } from '../../auth'
import type { Actions } from './$types'

export const actions: Actions = {
  default: event => auth.signOut(event, { redirectTo: '/' }),
}
