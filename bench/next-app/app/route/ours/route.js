import { auth } from '../../../ours.js'

export async function GET() {
  const session = await auth()
  return Response.json({ hello: session.user.name })
}
