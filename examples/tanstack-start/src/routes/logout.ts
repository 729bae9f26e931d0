import { createFileRoute } from '@tanstack/react-router'
import { auth } from '../auth'

export const Route = createFileRoute('/logout')({
  server: { handlers: { POST: ({ request }) => auth.signOut(request, { redirectTo: '/' }) } },
})
