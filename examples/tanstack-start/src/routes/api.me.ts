import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/api/me')({
  server: {
    handlers: {
      GET: async ({ request }) => {
        const { user } = await auth.requireSession(request)
        return Response.json(user)
      },
    },
  },
})
