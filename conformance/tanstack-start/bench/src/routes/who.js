import { createFileRoute } from '@tanstack/react-router'
import { contender } from '../contender.js'

export const Route = createFileRoute('/who')({
  server: { handlers: { GET: contender.who } },
})
