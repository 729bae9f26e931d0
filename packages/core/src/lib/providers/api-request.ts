import { OAuthCallbackError } from '../base/errors.ts'

/** Sent with every request to a provider's API: some refuse callers that do not name themselves. */
const HEADERS = { accept: 'application/json', 'user-agent': 'siteauth' } as const

/** Asks a provider's API, and answers the JSON object that it sent. */
export async function requestJson(
  fetch: typeof globalThis.fetch,
  url: URL | string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Record<string, unknown>> {
  const headers = { ...HEADERS, ...init.headers }
  const response = await fetch(url, { ...init, headers })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || !isRecord(body)) {
    const { host } = new URL(url)
    throw new OAuthCallbackError(
      `expected 200 and a JSON object from ${host}, got ${response.status}`,
      { cause: { status: response.status, ...errorOf(body) } },
    )
  }
  return body
}

/** Whether a value is an object with members to look at. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a body says went wrong, by the names that providers use for it. */
function errorOf(body: unknown): { error?: string; description?: string } {
  if (!isRecord(body)) return {}
  const error = body['error'] ?? body['errcode']
  const description = body['error_description'] ?? body['errmsg'] ?? body['message']
  return {
    ...(typeof error === 'string' || typeof error === 'number' ? { error: String(error) } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}
