import { command, form, getRequestEvent, query } from '$app/server'
import { auth } from '../../auth'
import { probe } from '../../probe'

async function ran(): Promise<string> {
  if (!probe.isInFront) await auth.requireSession(getRequestEvent())
  return probe.ran()
}

export const asked = query(ran)

export const askedTogether = query.batch('unchecked', async (ids: string[]) => {
  const text = await ran()
  return id => ids.indexOf(id) + text
})

export const watched = query.live(async function* () {
  yield await ran()
})

export const commanded = command(ran)

export const sent = form(ran)
