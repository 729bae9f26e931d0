import { createFileRoute } from '@tanstack/react-router'
import { onlyAda, probe } from '../auth'

export const Route = createFileRoute('/only-ada')({
  server: {
    middleware: probe.isInFront ? [] : [onlyAda],
    handlers: { ANY: () => new Response(probe.ran()) },
  },
})
