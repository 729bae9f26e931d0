import type { ResolvedConfig } from '../../config/resolved-config.ts'
import type { SetCookie } from '../../http/cookies.ts'
import { type Outgoing, page, redirect } from '../../http/response.ts'
import { addPasskeyPage } from '../../pages/add-passkey.ts'
import type { PageSetting } from '../../pages/shared/layout.ts'
import type { ProviderView } from '../../pages/shared/sign-in-form.ts'
import { signInPage } from '../../pages/sign-in.ts'
import { signInMethodsPage } from '../../pages/sign-in-methods.ts'
import { checkReceivedSession } from '../../principal/check-received-session.ts'
import type { ProviderObject } from '../../providers/provider.ts'
import { type FormValues, formValuesCookie } from '../cookies/form-values.ts'
import { lastProvider } from '../cookies/last-provider.ts'
import { findLinkingUser } from '../cookies/reauthentication.ts'
import { type EmailFirstMethod, emailFirstMethods } from '../provider/email-first-methods.ts'
import { type BegunForm, beginForm } from '../request/begin-form.ts'
import { endpointUrl, pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { readRetryAfter, settingOf } from '../request/page-context.ts'
import { saysRemember } from '../sign-in/session-limits.ts'
import { lastError } from './last-error.ts'
import { addressView, passkeyView, providerView } from './provider-form.ts'

/** The facts that both steps of signing in are made of. */
interface SignIn extends BegunForm {
  readonly setting: PageSetting
  /** The ways that begin with an address, where visitors type it before they choose one. */
  readonly methods: readonly EmailFirstMethod[]
  readonly stored: FormValues | null
}

/** `GET signin`: all ways to sign in. Those that begin with an address have a step of their own. */
export async function showSignIn(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { origin } = request
  const { error } = request.query
  const form = await beginForm(config, request)
  const toAdd = error === undefined ? await showAddPasskey(config, request) : null
  if (toAdd) return toAdd
  if (config.pages.signIn) {
    const { callbackUrl, cookies } = form
    return redirect(pageUrl(config, origin, 'signIn', { callbackUrl, error }), cookies)
  }
  const signIn: SignIn = {
    ...form,
    setting: await settingOf(config, origin, request),
    methods: emailFirstMethods(config),
    stored: await formValuesCookie.read(config, request),
  }
  const email = addressOfMethods(request, signIn)
  return email === undefined
    ? showFirst(config, request, signIn)
    : showMethods(config, request, signIn, email)
}

/** The address of a visitor at the second step: just entered, or one of the methods failed. */
function addressOfMethods(
  { query: { error, step } }: Incoming,
  { methods, stored }: SignIn,
): string | undefined {
  const hasFailed = isAbout(stored, error) && methods.some(({ id }) => id === stored?.provider)
  const isThere = error === undefined ? step === '2' : hasFailed
  return isThere && methods.length > 0 ? stored?.values['email'] : undefined
}

/**
 * Whether an address was stored for this very error. With any other, a sign-in begins again, perhaps of another
 * person.
 */
function isAbout(stored: FormValues | null, error: string | undefined): boolean {
  return error !== undefined && stored?.error === error
}

async function showFirst(
  config: ResolvedConfig,
  request: Incoming,
  signIn: SignIn,
): Promise<Outgoing> {
  const { origin } = request
  const { error, step } = request.query
  const { setting, callbackUrl, csrfToken, methods, stored } = signIn
  const own = [...config.providers.values()].filter(
    each => !methods.some(({ id }) => id === each.id),
  )
  const views = own.flatMap(provider => {
    const isFailed = error !== undefined && stored?.provider === provider.id
    return viewOf(config, request, signIn, provider, isFailed ? stored.values : {}) ?? []
  })
  // A visitor who returns to correct the address finds it in the form.
  const isBack = step === '1' || (isAbout(stored, error) && stored?.provider === null)
  const autofill = methods.find(method => method.type === 'webauthn' && method.enableConditionalUI)
  const lastUsed = methods.length > 0 ? lastProvider(config, request) : undefined
  const field = addressView(config, {
    origin,
    messages: setting.language.messages,
    email: (isBack ? stored?.values['email'] : undefined) ?? request.query['email'],
    hasAutofill: autofill !== undefined,
  })
  const who = await whoIsHere(config, request)
  const rendered = await signInPage({
    ...setting,
    providers: methods.length > 0 ? aroundField(views, field, lastUsed) : views,
    csrfToken,
    callbackUrl,
    error,
    retryAfter: readRetryAfter(request.query['code']),
    failed: stored?.provider ?? undefined,
    lastUsed,
    autofill: (autofill && viewOf(config, request, signIn, autofill, {})) ?? undefined,
    here: who.here && { ...who.here, signOut: endpointUrl(config, origin, 'signout') },
    remember: rememberView(config, isBack ? stored : null),
    details: lastError(config, error),
  })
  return page(rendered, 200, [
    ...signIn.cookies,
    ...formValuesCookie.clear(request),
    ...who.cookies,
  ])
}

/** Buttons above, the one used last first; forms of the application's own below. */
function aroundField(
  views: readonly ProviderView[],
  field: ProviderView,
  lastUsed: string | null | undefined,
): readonly ProviderView[] {
  const buttons = views.filter(({ kind }) => kind === 'external')
  return [
    ...buttons.filter(({ id }) => id === lastUsed),
    ...buttons.filter(({ id }) => id !== lastUsed),
    field,
    ...views.filter(({ kind }) => kind !== 'external'),
  ]
}

async function showMethods(
  config: ResolvedConfig,
  request: Incoming,
  signIn: SignIn,
  email: string,
): Promise<Outgoing> {
  const { error, code } = request.query
  const { setting, callbackUrl, csrfToken, cookies, methods, stored } = signIn
  const rendered = await signInMethodsPage({
    ...setting,
    methods: methods.flatMap(method => {
      const view = viewOf(config, request, signIn, method, {})
      // There is no field in whose autofill a passkey could wait.
      const passkey = view?.passkey && { passkey: { ...view.passkey, autofill: false } }
      return view ? [{ ...view, ...passkey }] : []
    }),
    email,
    addressUrl: pageUrl(config, request.origin, 'signIn', { step: '1' }),
    csrfToken,
    callbackUrl,
    error,
    retryAfter: readRetryAfter(code),
    failed: stored?.provider ?? null,
    lastUsed: lastProvider(config, request),
    remember: rememberView(config, stored),
    details: lastError(config, error),
  })
  // The input is stored: the page may be loaded again, and visitors continue to the pages about passwords.
  return page(rendered, 200, cookies)
}

function viewOf(
  config: ResolvedConfig,
  { origin, query: { email } }: Incoming,
  { callbackUrl, setting }: SignIn,
  provider: ProviderObject,
  stored: FormValues['values'],
): ProviderView | null {
  const { messages } = setting.language
  return providerView(config, provider, { origin, callbackUrl, messages, email, values: stored })
}

function rememberView({ remember }: ResolvedConfig, stored: FormValues | null) {
  if (remember !== 'ask') return null
  return { isTicked: saysRemember(stored?.values ?? {}) === true }
}

/** Someone who is signed in, as they know themselves. */
interface Here {
  readonly person: string | undefined
}

/** The user who is signed in already, on the sign-in page. */
async function whoIsHere(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly here: Here | null; readonly cookies: readonly SetCookie[] }> {
  try {
    // The `jwt` callback may have replaced something that cannot be used twice: the cookie must know.
    const { session, cookies } = await checkReceivedSession(config, request)
    const { email, name } = session?.user ?? {}
    return { here: session && { person: email || name || undefined }, cookies }
  } catch (error) {
    // If we cannot tell who it is, they can still sign in.
    if (error instanceof Error) config.logger.error(error)
    return { here: null, cookies: [] }
  }
}

/** `GET signin?add=…`: for someone who has just signed in, to make a passkey. Else null. */
async function showAddPasskey(config: ResolvedConfig, request: Incoming): Promise<Outgoing | null> {
  const { add } = request.query
  const provider = add === undefined ? undefined : config.providers.get(add)
  if (provider?.type !== 'webauthn') return null
  const { origin } = request
  const back = endpointUrl(config, origin, `signin?${new URLSearchParams({ add: provider.id })}`)
  const user = await findLinkingUser(config, request, back)
  if (!user) return null
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  const rendered = await addPasskeyPage({
    ...(await settingOf(config, origin, request)),
    action: endpointUrl(config, origin, `callback/${encodeURIComponent(provider.id)}`),
    passkey: passkeyView(config, origin, provider, callbackUrl),
    csrfToken,
    callbackUrl,
    person: user.email ?? user.name ?? '',
  })
  return page(rendered, 200, cookies)
}
