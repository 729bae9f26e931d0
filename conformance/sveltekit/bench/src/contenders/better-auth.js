import { json } from '@sveltejs/kit'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { svelteKitHandler } from 'better-auth/svelte-kit'
import { building } from '$app/environment'
import { betterAuthOptions } from '../../../../../bench/lib/site.mjs'

const auth = betterAuth(betterAuthOptions(memoryAdapter))

export async function handle({ event, resolve }) {
  const session = await auth.api.getSession({ headers: event.request.headers })
  event.locals.user = session?.user
  return svelteKitHandler({ event, resolve, auth, building })
}

export const GET = ({ locals }) => json({ hello: locals.user?.name })
