import { createServerFn } from '@tanstack/react-start'
import { getRequest } from '@tanstack/react-start/server'
import { auth } from './auth'

export const readName = createServerFn().handler(
  async () => (await auth.getSession(getRequest()))?.user?.name ?? null,
)

export const readSecret = createServerFn().handler(async () => {
  const { user } = await auth.requireSession(getRequest())
  return `the secret of ${user?.name}`
})

export const leave = createServerFn({ method: 'POST' }).handler(() =>
  auth.signOut(getRequest(), { redirectTo: '/' }),
)
