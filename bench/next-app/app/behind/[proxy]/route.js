export async function GET(_request, { params }) {
  return Response.json({ behind: (await params).proxy })
}
