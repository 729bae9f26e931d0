/**
 * Answers an error as TanStack Start does, which leaves no way to add cookies to its own answer: in its versions before
 * 1.169, headers that come with an error are written to the log.
 */
export function errorResponse(thrown: unknown): Response {
  console.error(thrown)
  const status = statusOf(thrown)
  return Response.json({ status, unhandled: true, message: 'HTTPError' }, { status })
}

function statusOf(thrown: unknown): number {
  const { status, statusCode = status } = Object(thrown) as {
    status?: unknown
    statusCode?: unknown
  }
  const isStatus =
    Number.isInteger(statusCode) && Number(statusCode) >= 400 && Number(statusCode) < 600
  return isStatus ? Number(statusCode) : 500
}
