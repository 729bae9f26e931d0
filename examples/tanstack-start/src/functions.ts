import { createServerFn } from '@tanstack/react-start'
import { getRequest } from '@tanstack/react-start/server'
import { auth } from './auth'

/** Who is signed in, or null. */
export const readName = createServerFn().handler(async () => {
  const session = await auth.getSession(getRequest())
  return session?.user?.name ?? null
})
