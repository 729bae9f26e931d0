import { createFileRoute } from '@tanstack/react-router'
import { contender } from '../contender.js'

export const Route = createFileRoute('/api/auth/$')({
  server: { handlers: { GET: contender.endpoints, POST: contender.endpoints } },
})
