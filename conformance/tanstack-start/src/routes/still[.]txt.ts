import { createFileRoute } from '@tanstack/react-router'

export const Route = createFileRoute('/still.txt')({
  server: { handlers: { GET: () => new Response('still') } },
})
