/** What became of signing in or out. */
export interface Outcome {
  readonly ok: boolean
  /** Why it failed, such as `CredentialsSignin`; undefined if it did not. */
  readonly error: string | undefined
  /** The `code` of your `CredentialsSignin`. */
  readonly code: string | undefined
  /** 200; 401 for wrong credentials, 403 if access was denied; 0 if there was no response. */
  readonly status: number
  /** Where to go next; null if it failed. */
  readonly url: string | null
}

/** Sends a form to an endpoint. `to` is where a page would go: with a failure, to the page that explains it. */
export async function postForm(
  base: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<Outcome & { readonly to: string | null }> {
  try {
    const { csrfToken } = await fetchJson<{ csrfToken: string }>(`${base}/csrf`)
    const given = Object.entries({ ...fields, csrfToken }).filter(([, value]) => value != null)
    const body = new URLSearchParams(given.map(([name, value]) => [name, String(value)]))
    const headers = { 'x-auth-return-redirect': '1' }
    const response = await fetch(base + path, { method: 'POST', headers, body })
    const { url } = (await response.json()) as { url: string }
    const to = new URL(url, location.href)
    // Anything else could be a script, which would run in the name of this page.
    if (!/^https?:$/.test(to.protocol)) return failure('Configuration', 500)
    const error = to.searchParams.get('error') ?? (response.ok ? undefined : 'Configuration')
    if (error === undefined) {
      return { ok: true, error, code: undefined, status: 200, url: to.href, to: to.href }
    }
    const status = response.ok ? statusOf(error) : response.status
    return { ...failure(error, status, to.searchParams.get('code')), to: to.href }
  } catch {
    return failure('NetworkError', 0)
  }
}

/** What an endpoint says. Rejects unless all went well. */
export async function fetchJson<T>(url: string): Promise<T> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return (await response.json()) as T // as the endpoint is documented
}

function failure(
  error: string,
  status: number,
  code: string | null = null,
): Outcome & { readonly to: null } {
  return { ok: false, error, code: code ?? undefined, status, url: null, to: null }
}

/** The endpoints answer scripts with 200 whatever a visitor did wrong, as those of Auth.js do. */
function statusOf(error: string): number {
  return error === 'AccessDenied' ? 403 : error === 'Configuration' ? 500 : 401
}
