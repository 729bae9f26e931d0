import { toBase64Url } from '../crypto/encoding.ts'

// A picture is not worth a longer wait at sign-in.
const TIMEOUT = 5000

/** Fetches a picture as a data URI. Null if there is none: a failure must not fail a sign-in. */
export async function fetchPhoto(
  fetch: typeof globalThis.fetch,
  url: string,
  accessToken: string,
): Promise<string | null> {
  try {
    const headers = { authorization: `Bearer ${accessToken}` }
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT) })
    const type = response.headers.get('content-type') ?? ''
    if (!response.ok || !/^image\/[\w.+-]+$/.test(type)) return null
    const base64 = toBase64Url(new Uint8Array(await response.arrayBuffer()))
    const padded = base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')
    return `data:${type};base64,${padded.replaceAll('-', '+').replaceAll('_', '/')}`
  } catch {
    return null
  }
}
