import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { toNextJsHandler } from 'better-auth/next-js'
import { headers } from 'next/headers'
import { betterAuthOptions } from '../../../../bench/lib/site.mjs'

// Each route is a bundle of its own, and what is in memory is there once.
globalThis.auth ??= betterAuth(betterAuthOptions(memoryAdapter))
const { auth } = globalThis

export const handlers = toNextJsHandler(auth)

export async function who() {
  const session = await auth.api.getSession({ headers: await headers() })
  return Response.json({ hello: session?.user.name })
}
