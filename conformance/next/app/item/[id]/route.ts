import { mayPass } from '../../../guarded'
import { probe } from '../../../probe'

export async function GET() {
  if (!(await mayPass())) return Response.json({ error: 'Unauthorized' }, { status: 401 })
  return new Response(probe.ran())
}

export const POST = GET
