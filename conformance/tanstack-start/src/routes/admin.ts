import { createFileRoute } from '@tanstack/react-router'
import { onlyAda } from '../auth'

export const Route = createFileRoute('/admin')({
  server: { middleware: [onlyAda], handlers: { GET: () => new Response('admin') } },
})
