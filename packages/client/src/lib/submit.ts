import { tellProviders } from './page-event.ts'
import { readCsrfToken } from './read.ts'
import { type EndpointPath, send } from './request.ts'
import { LEFT_WITHIN } from './store/timing.ts'

/** What became of a form: where to go next, and what went wrong. */
export interface SubmitResult {
  /** Why it failed, such as `CredentialsSignin`; undefined if it did not. */
  error: string | undefined
  /** The `code` of your `CredentialsSignin`; after too many attempts, in how many seconds to try again. */
  code: string | undefined
  /**
   * 200; 401 for a wrong password, 403 if access was denied, 429 after too many attempts; 0 if there was no
   * response.
   */
  status: number
  ok: boolean
  /** Where to go next; null if it failed. */
  url: string | null
}

/** Where a form leads. */
export interface Destination {
  /** Where to go afterwards: a path or a URL. Defaults to this page. */
  redirectTo?: string
  /** @deprecated The earlier name of `redirectTo`. */
  callbackUrl?: string
  /** `false` to stay on this page and get the outcome as a value. */
  redirect?: boolean
}

/** What became of a form that failed, or of one that did not if there is no error. */
export function outcomeOf(
  error: string | undefined,
  status: number,
  url: string | null = null,
  code?: string,
): SubmitResult {
  return { error, code, status, ok: !error, url }
}

/**
 * Sends a form to an endpoint that signs someone in or out. Providers on this page wait for the
 * outcome rather than ask for themselves, and it is not reported before they know. Returns nothing
 * where the page is left instead.
 *
 * @param path the endpoint, with a query if there is one
 * @param options where to go, and the fields of the form
 * @param hear is told what became of it before anybody else
 */
export async function submit(
  base: string,
  path: EndpointPath,
  options: Destination & Record<string, unknown>,
  hear?: (outcome: SubmitResult) => void,
): Promise<SubmitResult | undefined> {
  const { redirect = true, redirectTo: _, ...fields } = options
  const posting = post(base, path, { ...fields, callbackUrl: targetOf(options) })
  // A page that is about to go need not learn of it. If it stays after all, it follows the marker again.
  const changed = posting.then(outcome => {
    hear?.(outcome)
    return redirect && outcome.url
      ? new Promise<undefined>(stays => setTimeout(stays, LEFT_WITHIN))
      : outcome.ok || !outcome.status // the answer was lost: it may have worked
  })
  const { waits } = tellProviders({ base, changed, redirect })
  const outcome = await posting
  if (!redirect) {
    await Promise.all(waits)
    return { ...outcome, url: outcome.ok ? outcome.url : null }
  }
  if (!outcome.url) throw new Error(outcome.error)
  return goTo(outcome.url)
}

/** Sends a form, and says what the endpoint answered. */
export async function post(
  base: string,
  path: EndpointPath,
  fields: Record<string, unknown>,
): Promise<SubmitResult> {
  try {
    const given = Object.entries(fields).filter(([, value]) => value != null)
    const body = new URLSearchParams(given as [string, string][]) // which makes strings of them
    body.set('csrfToken', await readCsrfToken(base))
    const headers = { 'X-Auth-Return-Redirect': '1' }
    const response = await send(base, path, { method: 'POST', headers, body })
    const { url }: { url: string } = await response.json()
    const to = new URL(url, location.href)
    // What names no host would run in the name of this page, and so would scripts (`javascript:`,
    // `vbscript:`), which may seem to name one. Briefly said: this is loaded by every page.
    if (!to.host || /pt:/.test(to.protocol)) return outcomeOf('Configuration', 500)
    const query = to.searchParams
    const error = query.get('error') ?? (response.ok ? undefined : 'Configuration')
    const status = error && response.ok ? statusOf(error) : response.status
    return outcomeOf(error, status, url, query.get('code') ?? undefined)
  } catch {
    return outcomeOf('NetworkError', 0)
  }
}

/** The endpoints answer scripts with 200 whatever a visitor did wrong, as those of Auth.js do. */
function statusOf(error: string): number {
  return error === 'AccessDenied' ? 403 : error === 'Configuration' ? 500 : 401
}

/** Where the visitor wants to be in the end. */
export function targetOf({ redirectTo, callbackUrl }: Destination): string {
  const here = new URL(location.href)
  // What this page says about an earlier attempt.
  here.searchParams.delete('error')
  here.searchParams.delete('code')
  return redirectTo ?? callbackUrl ?? here.href
}

/** Leaves this page for a URL. */
export function goTo(url: string): undefined {
  const [page] = location.href.split('#')
  location.href = url
  // To another place on the same page, browsers go without loading it.
  if (url.startsWith(`${page}#`)) location.reload()
}
