import type { RequestEvent } from '@sveltejs/kit'
import { auth } from '../../auth'
import { probe } from '../../probe'
import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async event => ({ text: await ranFor(event) })

export const actions: Actions = {
  default: async event => ({ text: await ranFor(event) }),
}

async function ranFor(event: RequestEvent): Promise<string> {
  if (!probe.isInFront) await auth.requireSession(event, { allow: probe.allow })
  return probe.ran()
}
