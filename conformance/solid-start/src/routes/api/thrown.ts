import { auth } from '../../auth'

export async function GET() {
  return Response.json(await auth.requireSession())
}
