import { defineMiddleware, sequence } from 'astro:middleware'
import { auth } from './auth'

const guard = defineMiddleware(async (context, next) => {
  if (!context.routePattern.startsWith('/members')) return next()
  const session = await auth.requireSession(context)
  return session instanceof Response ? session : next()
})

export const onRequest = sequence(auth.onRequest, guard)
