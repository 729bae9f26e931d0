import { sent, signIn } from '../../codes'

/** Asks for a code, or signs in by one: as the fields say. */
export async function POST(request: Request) {
  const answer = await signIn.attempt('mail', await request.json())
  return Response.json({ answer, code: sent.code })
}
