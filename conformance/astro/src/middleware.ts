import { defineMiddleware, sequence } from 'astro:middleware'
import { auth } from './auth'
import { probe } from './probe'

const guard = defineMiddleware(async (context, next) => {
  if (!context.routePattern.startsWith('/members')) return next()
  const session = await auth.requireSession(context)
  return session instanceof Response ? session : next()
})

const { except, allow } = probe
const frontGuard = auth.requireSession({ except, allow })

// Also while pages are prerendered, to show that it does not keep Astro from it.
const front = defineMiddleware((context, next) =>
  context.isPrerendered || probe.isInFront ? frontGuard(context, next) : next(),
)

export const onRequest = sequence(auth.onRequest, front, guard)
