import type { RenderedPage } from '../http/outgoing.ts'
import { attributes, type Html, html } from './html.ts'
import { layout, type PageSetting } from './layout.ts'
import {
  type PasskeyView,
  type PasskeyWords,
  passkeyAttributes,
  passkeyForm,
} from './passkey-form.ts'

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
  /** Where the form is sent. */
  readonly action: string
  readonly fields: readonly FieldView[]
  /** Whether the provider asks for what it needs on a page of its own. */
  readonly isExternal: boolean
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
}

/** The page on which a visitor chooses how to sign in. */
export function signInPage(view: SignInView): Promise<RenderedPage> {
  const content = html`<div class="signin"><div class="card" data-last-used="Last used">${
    view.error && html`<div class="error" role="alert"><p>${describe(view.error)}</p></div>`
  }<h1>Sign in</h1>${view.providers.map((provider, index) => providerForm(view, provider, index))}</div></div>`
  const hasPasskey = view.providers.some(({ passkey }) => passkey)
  return layout(view, {
    title: 'Sign In',
    content,
    scripts: hasPasskey ? ['passkey', 'page'] : ['page'],
    connects: hasPasskey,
    hasForms: true,
  })
}

function providerForm(view: SignInView, provider: ProviderView, index: number): Html {
  const previous = view.providers[index - 1]
  const isApart = previous && !(previous.isExternal && provider.isExternal)
  return html`${isApart && html`<hr>`}<div class="provider"><form action="${provider.action}" method="POST" data-method="${provider.id}"${provider.passkey && passkeyAttributes(provider.passkey)}>${
    view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${view.callbackUrl}">${
    provider.passkey
      ? passkeyForm(
          provider.passkey,
          provider.fields.map(field => inputOf(provider, field)),
          `submitButton-${provider.id}`,
          passkeyWords,
        )
      : html`${provider.fields.map(field => inputOf(provider, field))}<button ${attributes({ type: 'submit', class: provider.isExternal && 'button', id: !provider.isExternal && 'submitButton' })}>Sign in with ${provider.name}</button>`
  }</form></div>`
}

const passkeyWords: PasskeyWords = {
  signIn: 'Sign in with a passkey',
  signUp: 'Create an account with a passkey',
  cancelled:
    'No passkey was used. Try again. If you have none on this device, sign in another way.',
  exists: 'This device has a passkey for this account already. Sign in with it.',
  unsupported: 'Passkeys do not work in this browser. Sign in another way.',
  failed: 'The passkey could not be used. Try again, or sign in another way.',
}

function inputOf(provider: ProviderView, field: FieldView): Html {
  const id = `input-${field.name}-for-${provider.id}-provider`
  const all = { type: 'text', ...field.attributes, name: field.name, id }
  return html`<label class="section-header" for="${id}">${field.label ?? field.name}</label><input${attributes(all)}>`
}

/** The codes in use, and those that applications of older versions may still send. */
const messages: ReadonlyMap<string, string> = new Map([
  ...[
    'Signin',
    'OAuthSignin',
    'OAuthCallbackError',
    'OAuthCreateAccount',
    'EmailCreateAccount',
    'Callback',
  ].map(
    code => [code, 'You were not signed in. Try again, or use another way to sign in.'] as const,
  ),
  [
    'OAuthAccountNotLinked',
    'To confirm your identity, sign in with the same account you used originally.',
  ],
  ['EmailSignin', 'The email could not be sent. Check the address and try again.'],
  ['EmailSignInError', 'The email could not be sent. Check the address and try again.'],
  ['CredentialsSignin', 'Sign in failed. Check the details you provided are correct.'],
  ['SessionRequired', 'Please sign in to access this page.'],
  ['MissingCSRF', 'The form was open for too long, or cookies are blocked. Please try again.'],
])

function describe(code: string): string {
  return messages.get(code) ?? 'Unable to sign in.'
}
