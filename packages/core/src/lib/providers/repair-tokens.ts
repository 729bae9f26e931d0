import { isRecord } from './api-request.ts'

/** A `token.conform` that changes the body of an answer, and leaves alone what is no JSON object. */
export function repairTokens(
  repair: (body: Record<string, unknown>) => Record<string, unknown>,
): (response: Response) => Promise<Response | undefined> {
  return async response => {
    const body: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    if (!isRecord(body)) return undefined
    return Response.json(repair(body), { status: response.status })
  }
}
