import { createServerFn } from '@tanstack/react-start'
import { getRequest } from '@tanstack/react-start/server'
import { auth, probe } from './auth'

export const readFile = createServerFn().handler(async () => {
  if (!probe.isInFront) await auth.requireSession(getRequest())
  return probe.ran()
})

export const writeFile = createServerFn({ method: 'POST' }).handler(async () => {
  if (!probe.isInFront) await auth.requireSession(getRequest())
  return probe.ran()
})
