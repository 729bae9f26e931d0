import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/login')({
  server: { handlers: { POST: ({ request }) => auth.signIn(request) } },
})
