import type { PageConfig, ResolvedConfig } from '../config/resolved.ts'
import type { SetCookie } from '../http/cookies.ts'
import { type Outgoing, type PageAnswer, page, redirect } from '../http/outgoing.ts'
import { addPasskeyPage } from '../pages/add-passkey.ts'
import { errorPage } from '../pages/error.ts'
import { signInPage } from '../pages/sign-in.ts'
import { signOutPage } from '../pages/sign-out.ts'
import { type CodeFormView, verifyRequestPage } from '../pages/verify-request.ts'
import type { AskedCode } from '../steps/asked-code.ts'
import { chooseReturn, rememberReturn } from '../steps/choose-redirect.ts'
import { currentUser } from '../steps/current-user.ts'
import { type EmailRequest, emailAskedFor } from '../steps/email-request.ts'
import type { Incoming } from '../steps/incoming.ts'
import { lastFault } from '../steps/last-fault.ts'
import { type Asker, settingOf } from '../steps/page-setting.ts'
import { endpointUrl, pageUrl } from '../steps/page-url.ts'
import { passkeyView, providerView } from '../steps/provider-view.ts'
import { takeTyped } from '../steps/typed-values.ts'
import { issueFormToken } from './csrf.ts'
import { checkSession } from './read-session.ts'

/** `GET signin` */
export async function showSignIn(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { origin } = request
  const { error, email } = request.query
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  const toAdd = error === undefined ? await showAddPasskey(config, request) : null
  if (toAdd) return toAdd
  if (config.pages.signIn) {
    return redirect(pageUrl(config, origin, 'signIn', { callbackUrl, error }), cookies)
  }
  const setting = await settingOf(config, origin, request)
  const typed = await takeTyped(config, request)
  const who = await whoIsHere(config, request)
  const providers = [...config.providers.values()].flatMap(
    provider =>
      providerView(config, provider, {
        origin,
        callbackUrl,
        words: setting.language.words,
        email,
        typed: error !== undefined && typed.form?.provider === provider.id ? typed.form.values : {},
      }) ?? [],
  )
  const rendered = await signInPage({
    ...setting,
    providers,
    csrfToken,
    callbackUrl,
    error,
    retryAfter: secondsIn(request.query['code']),
    failed: typed.form?.provider,
    here: who.here && { ...who.here, signOut: endpointUrl(config, origin, 'signout') },
    asksToRemember: config.remember === 'ask',
    details: lastFault(config, error),
  })
  return page(rendered, 200, [...cookies, ...typed.cookies, ...who.cookies])
}

/** How long somebody has to wait, from a query that anybody can write. */
function secondsIn(text: string | undefined): number {
  return /^\d{1,5}$/.test(text ?? '') ? Number(text) : 60
}

/** Someone who is signed in, as they know themselves. */
interface Here {
  readonly person: string | undefined
}

/** Who is signed in already, where someone is about to sign in. */
async function whoIsHere(
  config: ResolvedConfig,
  request: Incoming,
): Promise<{ readonly here: Here | null; readonly cookies: readonly SetCookie[] }> {
  try {
    // The `jwt` callback may have replaced something that cannot be used twice: the cookie must know.
    const header = request.headers.get('cookie')
    const { session, cookies } = await checkSession(config, request, header, { canRenew: true })
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
  const user = await currentUser(config, request)
  if (!user) return null
  const { origin } = request
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

/** `GET signout` */
export async function showSignOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  if (config.pages.signOut) {
    return redirect(pageUrl(config, request.origin, 'signOut'), cookies)
  }
  const rendered = await signOutPage({
    ...(await settingOf(config, request.origin, request)),
    action: endpointUrl(config, request.origin, 'signout'),
    csrfToken,
    callbackUrl,
  })
  return page(rendered, 200, cookies)
}

/** What a form needs, ours or the application's own: a token, and where to go afterwards. */
async function beginForm(config: ResolvedConfig, request: Incoming) {
  const callbackUrl = await chooseReturn(config, request)
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const remembered = rememberReturn(config, request, callbackUrl)
  return { callbackUrl, csrfToken, cookies: [...cookies, ...remembered] }
}

/** `GET verify-request` */
export async function showVerifyRequest(
  config: ResolvedConfig,
  request: Incoming,
): Promise<Outgoing> {
  const { origin, query } = request
  if (config.pages.verifyRequest) {
    return redirect(pageUrl(config, origin, 'verifyRequest', query))
  }
  const asked = await emailAskedFor(config, request)
  const form = asked?.code
    ? await codeForm(config, request, { ...asked, code: asked.code })
    : { code: null, cookies: [] }
  const rendered = await verifyRequestPage({
    ...(await settingOf(config, origin, request)),
    email: asked?.identifier,
    isPassword: query['type'] === 'password',
    signInUrl: pageUrl(config, origin, 'signIn'),
    code: form.code,
  })
  return page(rendered, 200, form.cookies)
}

/** How long somebody should wait for a message before they ask for another, in milliseconds. */
const PATIENCE = 30_000

/** What the form for a code needs. */
async function codeForm(
  config: ResolvedConfig,
  request: Incoming,
  asked: EmailRequest & { readonly code: AskedCode },
): Promise<{ readonly code: CodeFormView; readonly cookies: readonly SetCookie[] }> {
  const { error, code: why } = request.query
  const { csrfToken, cookies } = await issueFormToken(config, request)
  const waited = config.ports.now() - asked.code.sent
  return {
    code: {
      action: endpointUrl(config, request.origin, `signin/${encodeURIComponent(asked.provider)}`),
      csrfToken,
      callbackUrl: asked.returnTo,
      remember: asked.remember,
      error,
      why,
      retryAfter: secondsIn(why),
      resendAfter: Math.max(0, Math.ceil((PATIENCE - waited) / 1000)),
    },
    cookies,
  }
}

/** `GET error` */
export async function showError(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error } = request.query
  if (config.pages.error) return redirect(pageUrl(config, request.origin, 'error', { error }))
  const details = lastFault(config, error)
  return builtInError(config, request.origin, request, error, details)
}

/** The built-in error page, whatever the application has. */
export async function builtInError(
  config: PageConfig,
  origin: string,
  asker: Asker,
  error: string | undefined,
  details: readonly string[] = [],
): Promise<PageAnswer> {
  const shown = errorPage({
    ...(await settingOf(config, origin, asker)),
    error,
    signInUrl: pageUrl(config, origin, 'signIn'),
    details: config.development ? details : [],
  })
  return page(await shown.page, shown.status)
}
