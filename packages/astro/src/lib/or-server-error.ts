import { PRIVATE } from '@siteauth/core/internal'

/**
 * Answers an error in middleware with 500. In place of an error that middleware throws, Astro shows a route for any path if
 * there is no page for errors, and skips middleware that fails again: a guarded page would be shown to everybody.
 */
export async function orServerError(
  respond: () => Promise<Response | undefined>,
): Promise<Response | undefined> {
  try {
    return await respond()
  } catch (error) {
    return serverError(error)
  }
}

/** Logs an error, and returns the response in its place. */
export function serverError(error: unknown): Response {
  console.error(error)
  // With a body: in place of a response without one, Astro shows its page for errors, too.
  return new Response('Internal Server Error', {
    status: 500,
    headers: { 'Cache-Control': PRIVATE },
  })
}
