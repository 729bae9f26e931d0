import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { clearCookie, type SetCookie, setCookie } from '../../http/cookies.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { asksWho } from '../provider/credential-fields.ts'
import { addressWays } from '../provider/email-first-methods.ts'
import type { Incoming } from '../request/incoming.ts'
import { browserMark, isOwnMark } from './browser-binding.ts'

/** A form that was sent, and what was typed into it that may be shown again. */
export interface TypedForm {
  /** The id of the provider whose form failed; null for the address that comes before one is chosen. */
  readonly provider: string | null
  readonly values: Readonly<Record<string, string>>
  /** The code of what it failed with, where it began with an address; null if it did not fail. */
  readonly error: string | null
}

/** Long enough to follow a redirect, on any network. */
const MAX_AGE = 120
/** Long enough to choose a way to sign in, and to look for a password. */
const MAX_AGE_OF_ADDRESS = 600
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
  error: string,
): Promise<readonly SetCookie[]> {
  const isWay = addressWays(config).some(({ id }) => id === provider.id)
  const names = isWay ? ADDRESS_FIELDS : namesIn(provider)
  // Scripts show their own forms again, as do applications with a page of their own.
  const isScript = request.headers.has('x-auth-return-redirect')
  if (!names || isScript || config.pages.signIn) return []
  return keep(config, request, { provider: provider.id, names, error: isWay ? error : null })
}

/**
 * Keeps the address that comes before a way to sign in is chosen, for the page that offers them.
 *
 * @param error the code of what is wrong with it
 */
export function keepAddress(
  config: ResolvedConfig,
  request: Incoming,
  error: string | null,
): Promise<readonly SetCookie[]> {
  return keep(config, request, { provider: null, names: ADDRESS_FIELDS, error })
}

const ADDRESS_FIELDS = ['email', 'remember']

async function keep(
  config: ResolvedConfig,
  request: Incoming,
  { provider, names, error }: Omit<TypedForm, 'values'> & { readonly names: readonly string[] },
): Promise<readonly SetCookie[]> {
  const values = names.flatMap(name => {
    const value = request.body[name]
    return isKept(value) ? [[name, value]] : []
  })
  const cookie = request.cookieOptions.signInForm
  const { mark, cookies } = await browserMark(config, request)
  const form = { provider, values: Object.fromEntries(values), ...(error !== null && { error }) }
  const maxAge = names === ADDRESS_FIELDS ? MAX_AGE_OF_ADDRESS : MAX_AGE
  const sealed = await config
    .sealerFor(cookie.name)
    .seal({ ...form, browser: mark ?? null }, maxAge, config.ports.now())
  return [...cookies, setCookie(cookie, sealed, { maxAge })]
}

/** Whether something is kept at all. */
export function isKept(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE
}

/** What was kept. */
export async function readTyped(
  config: ResolvedConfig,
  request: Incoming,
): Promise<TypedForm | null> {
  const { name } = request.cookieOptions.signInForm
  const sealed = request.cookies[name]
  if (sealed === undefined) return null
  const opened = await config.sealerFor(name).open(sealed, config.ports.now())
  return typeof opened === 'string' ? null : readForm(config, request, opened.claims)
}

/** The cookie that forgets it, where there is something to forget. */
export function forgetTyped({ cookies, cookieOptions }: Incoming): readonly SetCookie[] {
  const { signInForm } = cookieOptions
  return cookies[signInForm.name] === undefined ? [] : [clearCookie(signInForm)]
}

async function readForm(
  config: ResolvedConfig,
  request: Incoming,
  { provider, values, error, browser }: Readonly<Record<string, unknown>>,
): Promise<TypedForm | null> {
  const mark = typeof browser === 'string' ? browser : undefined
  if (typeof provider !== 'string' && provider !== null) return null
  if (!(await isOwnMark(config, request, mark))) return null
  return {
    provider,
    values: Object(values) as TypedForm['values'], // sealed by ourselves
    error: typeof error === 'string' ? error : null,
  }
}

/** The fields that may be shown again; null for providers that have no form. */
function namesIn(provider: ProviderObject): readonly string[] | null {
  if (provider.type === 'email' || provider.type === 'password') return ['email']
  if (provider.type !== 'credentials') return null
  return Object.entries(provider.credentials ?? {})
    .flatMap(([name, input]) => (asksWho(name, input) ? [name] : []))
    .slice(0, MOST_VALUES)
}
