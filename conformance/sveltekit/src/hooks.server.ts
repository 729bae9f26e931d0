import type { Handle } from '@sveltejs/kit'
import { sequence } from '@sveltejs/kit/hooks'
import { auth } from './auth'

const guard: Handle = async ({ event, resolve }) => {
  if (event.route.id === '/admin') {
    await auth.requireSession(event, { allow: ({ user }) => user?.name === 'Ada' })
  }
  return resolve(event)
}

export const handle = sequence(auth.handle, guard)
