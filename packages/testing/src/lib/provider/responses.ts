/** An OAuth error as JSON. */
export function errorResponse(error: string, status: number): Response {
  return Response.json({ error }, { status, headers: { 'cache-control': 'no-store' } })
}

export function redirect(to: URL): Response {
  return new Response(null, { status: 303, headers: { location: to.href } })
}
