import type { RenderedPage } from '../http/outgoing.ts'
import { waitText } from '../look/words/wait-text.ts'
import type { Words } from '../look/words/words.ts'
import { attributes, fill, type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { developerNote, layout, type PageSetting } from './layout.ts'
import { type PasskeyView, passkeyAttributes, passkeyForm } from './passkey-form.ts'
import { type MarkView, providerMark } from './provider-mark.ts'
import { revealable } from './revealable.ts'

/** A field of a form. */
export interface FieldView {
  readonly name: string
  readonly label: string | undefined
  readonly attributes: Readonly<Record<string, string | number | boolean | null | undefined>>
}

/** A provider on the page: a button alone, or a form with fields. */
export interface ProviderView {
  readonly id: string
  readonly name: string
  readonly kind: 'external' | 'email' | 'credentials' | 'passkey'
  /** Where the form is sent. */
  readonly action: string
  readonly fields: readonly FieldView[]
  readonly style: MarkView
  /** What the script of the page has to know of a passkey. */
  readonly passkey?: PasskeyView
  /** Where the library looks after passwords: the pages for those who have none, or forgot it. */
  readonly password?: { readonly forgot: string; readonly signUp: string | null }
}

/** Someone who is signed in already. */
interface HereView {
  /** As they know themselves. */
  readonly person: string | undefined
  /** Where the form is sent that signs them out. */
  readonly signOut: string
}

/** What the sign-in page shows. */
export interface SignInView extends PageSetting {
  readonly providers: readonly ProviderView[]
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** A code from the query. */
  readonly error: string | undefined
  /** Where somebody has to wait, for how many seconds. */
  readonly retryAfter: number
  /** The id of the provider whose form it is about, where that is known. */
  readonly failed: string | undefined
  /** Who is signed in already. */
  readonly here: HereView | null
  /** Whether the visitor is asked to stay signed in. */
  readonly asksToRemember: boolean
  /** What is wrong inside, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** The page on which a visitor chooses how to sign in. */
export function signInPage(view: SignInView): Promise<RenderedPage> {
  const { appName, error, here } = view
  const { words } = view.language
  const failed = failedForm(view)
  const hints = { 'data-last-used': words.lastUsed }
  const content = html`${error && !failed && alertOf(view, error)}${developerNote(view.details)}${
    here && herePanel(view, here)
  }<div class="providers"${attributes(hints)}>${groupsOf(view.providers).map((group, index) => [
    (index > 0 || here) && html`<div class="or">${words.or}</div>`,
    group.length > MOST_IN_A_COLUMN
      ? html`<div class="many">${group.map(each => providerForm(view, each, failed))}</div>`
      : group.map(each => providerForm(view, each, failed)),
  ])}</div>${
    view.asksToRemember && rememberBox(words)
  }<a class="site" href="${view.site}">${fill(words.backTo, view)}</a>`
  const hasPasskey = view.providers.some(({ passkey }) => passkey)
  return layout(view, {
    name: 'signin',
    title: words.signInTitle,
    heading: appName ? fill(words.signInTo, view) : words.signIn,
    lead: appName ? undefined : fill(words.continueTo, view),
    content,
    scripts: hasPasskey ? ['passkey', 'page'] : ['page'],
    connects: hasPasskey,
    hasForms: true,
    images: view.providers.map(({ style }) => style.logo),
  })
}

/** Longer lists would not be seen at one glance, and become a grid. */
const MOST_IN_A_COLUMN = 6

/** Buttons stand together; what has fields stands apart. */
function groupsOf(providers: readonly ProviderView[]): readonly (readonly ProviderView[])[] {
  const groups: ProviderView[][] = []
  for (const provider of providers) {
    const last = groups.at(-1)
    if (provider.kind === 'external' && last?.[0]?.kind === 'external') last.push(provider)
    else groups.push([provider])
  }
  return groups
}

/** The form that an error is about: the one that was sent, or the only one of its kind. */
function failedForm({ error, failed, providers }: SignInView): ProviderView | undefined {
  if (!error) return undefined
  const sent = providers.find(({ id }) => id === failed)
  if (sent) return sent
  const kind = kinds.get(error)
  const alike = providers.filter(each => each.kind === kind)
  return alike.length === 1 ? alike[0] : undefined
}

const kinds: ReadonlyMap<string, ProviderView['kind']> = new Map([
  ['CredentialsSignin', 'credentials'],
  ['EmailSignin', 'email'],
  ['EmailSignInError', 'email'],
])

const ALERT = 'sign-in-error'

/** Has the focus, so that it is read out first: alerts that a page comes with often are not. */
function alertOf({ language, retryAfter }: SignInView, error: string): Html {
  const text = fill(explain(error, language.words), { wait: waitText(language, retryAfter) })
  return html`<div class="error" id="${ALERT}" tabindex="-1" autofocus role="alert">${icon('alert', '')}<p>${text}</p></div>`
}

/** For someone who is signed in: as whom, the way on, and the way out. */
function herePanel(view: SignInView, { person, signOut }: HereView): Html {
  const { words } = view.language
  return html`<div class="here"><p class="quiet small">${words.signedIn}</p>${
    person && html`<p><strong><bdi>${person}</bdi></strong></p>`
  }<a class="button" href="${view.callbackUrl}">${words.goOn}</a><form action="${signOut}" method="POST">${hiddenFields(view)}<button class="plain" type="submit">${words.signOut}</button></form></div>`
}

/** One for all forms, so a script has to tell them. Without it, nobody is remembered. */
function rememberBox(words: Words): Html {
  return html`<label class="remember" hidden><input type="checkbox" data-remember>${words.keepSignedIn}</label>`
}

function hiddenFields({ csrfToken, callbackUrl }: SignInView): Html {
  return html`${
    csrfToken && html`<input type="hidden" name="csrfToken" value="${csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${callbackUrl}">`
}

function providerForm(
  view: SignInView,
  provider: ProviderView,
  failed: ProviderView | undefined,
): Html {
  const { id, action, passkey } = provider
  const { error } = view
  return html`<div class="provider"><form action="${action}" method="POST" data-method="${id}"${passkey && passkeyAttributes(passkey)}>${hiddenFields(view)}${
    error && provider === failed && alertOf(view, error)
  }${contentOf(view, provider, failed)}</form></div>`
}

function contentOf(
  view: SignInView,
  provider: ProviderView,
  failed: ProviderView | undefined,
): Html {
  const isFailed = provider === failed
  const { id, kind, name, passkey } = provider
  const { words } = view.language
  const fields = provider.fields.map(field => inputOf({ provider, field, isFailed, words }))
  if (passkey) return passkeyForm(passkey, fields, `submitButton-${id}`, words)
  if (kind === 'external') {
    return html`<button type="submit" class="button">${providerMark(name, provider.style)}<span>${labelOf(provider, words)}</span></button>`
  }
  // By this name applications know it; no two elements can have one name.
  const first = view.providers.find(each => each.kind === 'email' || each.kind === 'credentials')
  const button = { type: 'submit', id: provider === first ? 'submitButton' : `submitButton-${id}` }
  return html`${fields}<button${attributes(button)}><span>${labelOf(provider, words)}</span></button>${passwordLinks(provider, words)}`
}

function passwordLinks({ password }: ProviderView, words: Words): Html | undefined {
  if (!password) return undefined
  const { forgot, signUp } = password
  return html`<p class="quiet small"><a href="${forgot}">${words.forgotPassword}</a></p>${
    signUp && html`<p class="quiet small"><a href="${signUp}">${words.createAccount}</a></p>`
  }`
}

function labelOf({ kind, name, password }: ProviderView, words: Words): Html | string {
  if (kind === 'email') return words.signInWithEmail
  // Nobody calls what they know by the name that it has unless someone gives it another.
  if (kind === 'credentials' && (name === 'Credentials' || password)) return words.signIn
  return fill(words.signInWith, { provider: name })
}

function inputOf({
  provider,
  field,
  isFailed,
  words,
}: {
  readonly provider: ProviderView
  readonly field: FieldView
  readonly isFailed: boolean
  readonly words: Words
}): Html {
  const id = `input-${field.name}-for-${provider.id}-provider`
  const described = [field.attributes['aria-describedby'], isFailed && ALERT]
  const all = {
    type: 'text',
    ...field.attributes,
    name: field.name,
    id,
    'aria-describedby': described.filter(each => each).join(' ') || null,
    ...(isFailed && { 'aria-invalid': 'true' }),
  }
  const input = html`<input${attributes(all)}>`
  return html`<label class="section-header" for="${id}">${field.label ?? field.name}</label>${
    all.type === 'password' ? revealable(input, id, words) : input
  }`
}

/** The codes in use, and those that applications of older versions may still send. */
const explanations: ReadonlyMap<string, keyof Words> = new Map([
  ['Signin', 'tryAnotherWay'],
  ['OAuthSignin', 'tryAnotherWay'],
  ['OAuthCallbackError', 'tryAnotherWay'],
  ['OAuthCreateAccount', 'tryAnotherWay'],
  ['EmailCreateAccount', 'tryAnotherWay'],
  ['Callback', 'tryAnotherWay'],
  ['OAuthAccountNotLinked', 'accountNotLinked'],
  ['AccountNotLinked', 'accountNotLinked'],
  ['EmailSignin', 'emailNotSent'],
  ['EmailSignInError', 'emailNotSent'],
  ['CredentialsSignin', 'wrongDetails'],
  ['EmailCodeError', 'codeOver'],
  ['PasswordRefused', 'wrongDetails'],
  ['TooManyAttempts', 'tooManyAttempts'],
  ['SessionRequired', 'signInFirst'],
  ['MissingCSRF', 'formExpired'],
  ['Configuration', 'configurationText'],
  ['WebAuthnVerificationError', 'passkeyFailed'],
])

function explain(code: string, words: Words): string {
  return words[explanations.get(code) ?? 'unableToSignIn']
}
