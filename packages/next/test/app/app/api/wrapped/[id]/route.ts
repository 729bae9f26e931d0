import { auth } from '../../../../auth'

export const GET = auth(async (request, { params }: { params: Promise<{ id: string }> }) => {
  const again = await auth()
  const { id } = await params
  return Response.json({ id, user: request.auth?.user ?? null, again: again?.user ?? null })
})
