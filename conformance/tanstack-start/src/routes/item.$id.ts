import { createFileRoute } from '@tanstack/react-router'
import { auth, probe } from '../auth'

async function answer({ request }: { request: Request }): Promise<Response> {
  if (!probe.isInFront) await auth.requireSession(request)
  return new Response(probe.ran())
}

export const Route = createFileRoute('/item/$id')({
  server: { handlers: { GET: answer, POST: answer } },
})
