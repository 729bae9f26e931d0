import { adapter } from '../../../passkeys'

export async function POST(request: Request) {
  const user = await adapter.getUserByEmail(await request.text())
  if (user) await adapter.deleteUser(user.id)
  return new Response(null, { status: 204 })
}
