import { createFileRoute } from '@tanstack/react-router'
import { probe } from '../auth'

export const Route = createFileRoute('/ran')({
  server: { handlers: { GET: () => new Response(`${probe.count}`) } },
})
