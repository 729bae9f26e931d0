import type { RenderedPage } from '../http/outgoing.ts'
import type { Words } from '../words/words.ts'
import { developerNote } from './developer-note.ts'
import { fill } from './fill.ts'
import { attributes, type Html, html } from './html.ts'
import { icon } from './icons.ts'
import { layout, type PageSetting } from './layout.ts'
import { type PasskeyView, passkeyAttributes, passkeyForm } from './passkey-form.ts'
import { type MarkView, providerMark } from './provider-mark.ts'

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
}

/** What the sign-in page shows. */
export interface SignInView extends PageSetting {
  readonly providers: readonly ProviderView[]
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** A code from the query. */
  readonly error: string | undefined
  /** What is wrong inside, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** The page on which a visitor chooses how to sign in. */
export function signInPage(view: SignInView): Promise<RenderedPage> {
  const { words } = view.language
  const content = html`${
    view.error &&
    html`<div class="error" role="alert">${icon('alert', '')}<p>${explain(view.error, words)}</p></div>`
  }${developerNote(view.details)}<div class="providers" data-last-used="${words.lastUsed}">${view.providers.map(
    (provider, index) => [
      isApart(view.providers[index - 1], provider) && html`<div class="or">${words.or}</div>`,
      providerForm(view, provider),
    ],
  )}</div><a class="site" href="${view.site}">${fill(words.backTo, view)}</a>`
  const hasPasskey = view.providers.some(({ passkey }) => passkey)
  return layout(view, {
    name: 'signin',
    title: words.signInTitle,
    heading: words.signIn,
    lead: fill(words.continueTo, view),
    content,
    scripts: hasPasskey ? ['passkey', 'page'] : ['page'],
    connects: hasPasskey,
    hasForms: true,
    images: view.providers.map(({ style }) => style.logo),
  })
}

/** Buttons stand together; what has fields stands apart. */
function isApart(previous: ProviderView | undefined, next: ProviderView): boolean {
  return previous !== undefined && !(previous.kind === 'external' && next.kind === 'external')
}

function providerForm(view: SignInView, provider: ProviderView): Html {
  const { id, action, passkey } = provider
  return html`<div class="provider"><form action="${action}" method="POST" data-method="${id}"${passkey && passkeyAttributes(passkey)}>${
    view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${view.callbackUrl}">${contentOf(view, provider)}</form></div>`
}

function contentOf(view: SignInView, provider: ProviderView): Html {
  const { id, kind, passkey } = provider
  const { words } = view.language
  const fields = provider.fields.map(field => inputOf(provider, field))
  if (passkey) return passkeyForm(passkey, fields, `submitButton-${id}`, words)
  // By this name applications know it; no two elements can have one name.
  const first = view.providers.find(each => each.kind === 'email' || each.kind === 'credentials')
  const button =
    kind === 'external'
      ? { type: 'submit', class: 'button' }
      : { type: 'submit', id: provider === first ? 'submitButton' : `submitButton-${id}` }
  return html`${fields}<button${attributes(button)}>${
    kind === 'external' && providerMark(provider.name, provider.style)
  }<span>${labelOf(provider, words)}</span></button>`
}

function labelOf({ kind, name }: ProviderView, words: Words): Html | string {
  if (kind === 'email') return words.signInWithEmail
  // Nobody calls what they know by the name that it has unless somebody gives it another.
  if (kind === 'credentials' && name === 'Credentials') return words.signIn
  return fill(words.signInWith, { provider: name })
}

function inputOf(provider: ProviderView, field: FieldView): Html {
  const id = `input-${field.name}-for-${provider.id}-provider`
  const all = { type: 'text', ...field.attributes, name: field.name, id }
  return html`<label class="section-header" for="${id}">${field.label ?? field.name}</label><input${attributes(all)}>`
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
  ['SessionRequired', 'signInFirst'],
  ['MissingCSRF', 'formExpired'],
  ['Configuration', 'configurationText'],
  ['WebAuthnVerificationError', 'passkeyFailed'],
])

function explain(code: string, words: Words): string {
  return words[explanations.get(code) ?? 'unableToSignIn']
}
