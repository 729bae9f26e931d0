import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/rename')({
  server: {
    handlers: {
      POST: async ({ request }) => {
        const name = (await request.formData()).get('name')
        return Response.json(await auth.update(request, { name }))
      },
    },
  },
})
