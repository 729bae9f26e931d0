import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/fail')({
  server: {
    handlers: {
      POST: async ({ request }) => {
        await auth.signOut(request)
        throw new Error('Something failed after the sign-out')
      },
    },
  },
})
