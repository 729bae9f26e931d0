import type { Handle } from '@sveltejs/kit'
import { sequence } from '@sveltejs/kit/hooks'
import { building } from '$app/environment'
import { auth } from './auth'
import { probe } from './probe'

const guard: Handle = async ({ event, resolve }) => {
  if (event.route.id === '/admin') {
    await auth.requireSession(event, { allow: ({ user }) => user?.name === 'Ada' })
  }
  return resolve(event)
}

const { except, allow } = probe
const frontGuard = auth.requireSession({ except, allow })

// Also while pages are prerendered, to show that it does not keep SvelteKit from it.
const front: Handle = input =>
  building || probe.isInFront ? frontGuard(input) : input.resolve(input.event)

export const handle = sequence(auth.handle, front, guard)
