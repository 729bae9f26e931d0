import type { ResolvedConfig } from '../config/resolved.ts'
import { clearCookie, type SetCookie, setCookie } from '../http/cookies.ts'
import type { ProviderObject } from '../providers/provider.ts'
import { browserMark, isOwnMark } from './browser-mark.ts'
import type { Incoming } from './incoming.ts'
import { asksWho } from './usual-input.ts'

/** A form that failed, and what was typed into it that may be shown again. */
export interface TypedForm {
  readonly provider: string
  readonly values: Readonly<Record<string, string>>
}

/** Long enough to follow a redirect, on any network. */
const MAX_AGE = 120
/** As long as an email address can be. */
const LONGEST_VALUE = 254
/** So that the cookie stays small. */
const MOST_VALUES = 4

/**
 * Keeps who someone said to be for the page that asks once more. Sealed in a cookie, since
 * addresses are in logs and histories; never what only that person knows.
 */
export async function keepTyped(
  config: ResolvedConfig,
  request: Incoming,
  provider: ProviderObject,
): Promise<readonly SetCookie[]> {
  const names = namesIn(provider)
  // Scripts show their own forms again, as do applications with a page of their own.
  const isScript = request.headers.has('x-auth-return-redirect')
  if (!names || isScript || config.pages.signIn) return []
  const values = names.flatMap(name => {
    const value = request.body[name]
    const isKept = typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
    return isKept ? [[name, value]] : []
  })
  const cookie = request.cookieOptions.signInForm
  const { mark, cookies } = await browserMark(config, request)
  const form: TypedForm = { provider: provider.id, values: Object.fromEntries(values) }
  const sealed = await config
    .sealerFor(cookie.name)
    .seal({ ...form, browser: mark ?? null }, MAX_AGE, config.ports.now())
  return [...cookies, setCookie(cookie, sealed, { maxAge: MAX_AGE })]
}

/** What was kept, for this one time. */
export async function takeTyped(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly form: TypedForm | null; readonly cookies: readonly SetCookie[] }> {
  const cookie = request.cookieOptions.signInForm
  const sealed = request.cookies[cookie.name]
  if (sealed === undefined) return { form: null, cookies: [] }
  const opened = await config.sealerFor(cookie.name).open(sealed, config.ports.now())
  return {
    form: typeof opened === 'string' ? null : await readForm(config, request, opened.claims),
    cookies: [clearCookie(cookie)],
  }
}

async function readForm(
  config: ResolvedConfig,
  request: Incoming,
  { provider, values, browser }: Readonly<Record<string, unknown>>,
): Promise<TypedForm | null> {
  const mark = typeof browser === 'string' ? browser : undefined
  if (typeof provider !== 'string' || !(await isOwnMark(config, request, mark))) return null
  return { provider, values: Object(values) as TypedForm['values'] } // sealed by ourselves
}

/** The fields that may be shown again; null for providers that have no form. */
function namesIn(provider: ProviderObject): readonly string[] | null {
  if (provider.type === 'email' || provider.type === 'password') return ['email']
  if (provider.type !== 'credentials') return null
  return Object.entries(provider.credentials ?? {})
    .flatMap(([name, input]) => (asksWho(name, input) ? [name] : []))
    .slice(0, MOST_VALUES)
}
