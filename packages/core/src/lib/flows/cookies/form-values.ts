import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { asksWho } from '../provider/credential-fields.ts'
import { emailFirstMethods } from '../provider/email-first-methods.ts'
import type { Incoming } from '../request/incoming.ts'
import { type SealedCookie, sealedCookie } from './sealed-cookie.ts'

/** A form that was sent, and what was typed into it that may be shown again. */
export interface FormValues {
  /** The id of the provider whose form failed; null for the address that comes before one is chosen. */
  readonly provider: string | null
  readonly values: Readonly<Record<string, string>>
  /** The code of its error, if the sign-in began with an address; null if it did not fail. */
  readonly error: string | null
}

/** Long enough to follow a redirect, on any network. */
const MAX_AGE = 120
/** Long enough to choose a way to sign in, and to look for a password. */
const MAX_AGE_OF_ADDRESS = 600
/** As long as an email address can be. */
const MAX_VALUE_LENGTH = 254
/** So that the cookie stays small. */
const MAX_VALUES = 4

/** The cookie by which a form that failed is shown with its values. Sealed, since addresses are in logs and histories. */
export const formValuesCookie: SealedCookie<FormValues> = sealedCookie({
  option: 'signInForm',
  isBoundToBrowser: true,
  parse({ provider, values, error }) {
    if (typeof provider !== 'string' && provider !== null) return null
    return { provider, values: textsIn(values), error: typeof error === 'string' ? error : null }
  },
})

function textsIn(values: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(Object(values))
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => isStorable(entry[1])),
  )
}

/**
 * Stores the name or address that was entered, for the page that asks again. Sealed in a cookie, since addresses end
 * up in logs and histories; never secrets.
 */
export async function storeFormValues(
  config: ResolvedConfig,
  request: Incoming,
  provider: ProviderObject,
  error: string,
): Promise<readonly SetCookie[]> {
  const isEmailFirst = emailFirstMethods(config).some(({ id }) => id === provider.id)
  const names = isEmailFirst ? ADDRESS_FIELDS : namesIn(provider)
  // Scripts show their own forms again, as do applications with a page of their own.
  const isScript = request.headers.has('x-auth-return-redirect')
  if (!names || isScript || config.pages.signIn) return []
  const form = { provider: provider.id, names, error: isEmailFirst ? error : null }
  return remember(config, request, form, isEmailFirst ? MAX_AGE_OF_ADDRESS : MAX_AGE)
}

/**
 * Keeps the address that comes before a way to sign in is chosen, for the page that offers them.
 *
 * @param error the code of its error
 */
export function rememberAddress(
  config: ResolvedConfig,
  request: Incoming,
  error: string | null,
): Promise<readonly SetCookie[]> {
  const form = { provider: null, names: ADDRESS_FIELDS, error }
  return remember(config, request, form, MAX_AGE_OF_ADDRESS)
}

const ADDRESS_FIELDS = ['email', 'remember']

function remember(
  config: ResolvedConfig,
  request: Incoming,
  { provider, names, error }: Omit<FormValues, 'values'> & { readonly names: readonly string[] },
  maxAge: number,
): Promise<readonly SetCookie[]> {
  const values = names.flatMap(name => {
    const value = request.body[name]
    return isStorable(value) ? [[name, value]] : []
  })
  const form = { provider, values: Object.fromEntries(values), error }
  return formValuesCookie.write(config, request, form, maxAge)
}

/** Whether something is kept at all. */
export function isStorable(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH
}

/** The fields that may be shown again; null for providers that have no form. */
function namesIn(provider: ProviderObject): readonly string[] | null {
  if (provider.type === 'email' || provider.type === 'password') return ['email']
  if (provider.type !== 'credentials') return null
  return Object.entries(provider.credentials ?? {})
    .flatMap(([name, input]) => (asksWho(name, input) ? [name] : []))
    .slice(0, MAX_VALUES)
}
