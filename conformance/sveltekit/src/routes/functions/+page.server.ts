import { auth } from '../../auth'
import { probe } from '../../probe'
import type { Actions } from './$types'

export const actions: Actions = {
  async send(event) {
    if (!probe.isInFront) await auth.requireSession(event)
    return { text: probe.ran() }
  },
}
