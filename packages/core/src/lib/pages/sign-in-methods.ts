import type { RenderedPage } from '../http/response.ts'
import { attributes, fill, type Html, html } from './shared/html.ts'
import { developerNote, layout, type PageSetting } from './shared/layout.ts'
import { passkeyAttributes, passkeyForm } from './shared/passkey-form.ts'
import { hiddenFields } from './shared/password-form.ts'
import { signInAlert } from './shared/sign-in-alert.ts'
import {
  inputOf,
  lastUsedBadge,
  type ProviderView,
  passwordLinks,
  rememberBox,
} from './shared/sign-in-form.ts'

/** The content of the second step of signing in. */
export interface SignInMethodsView extends PageSetting {
  /** The same for every address, so that the methods do not reveal who has an account. */
  readonly methods: readonly ProviderView[]
  readonly email: string
  /** The first step, where another address can be typed. */
  readonly addressUrl: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** A code from the query. */
  readonly error: string | undefined
  /** If the visitor has to wait, for how many seconds. */
  readonly retryAfter: number
  /** The id of the provider whose form the error is about. */
  readonly failed: string | null
  /** The id of the provider this browser used last. */
  readonly lastUsed: string | null
  /** Whether the visitor is asked to stay signed in, and has said so before. */
  readonly remember: { readonly isTicked: boolean } | null
  /** The internal error, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** The page on which a visitor who has typed an address chooses how to go on. */
export function signInMethodsPage(view: SignInMethodsView): Promise<RenderedPage> {
  const { methods, email, remember, error, failed } = view
  const { messages } = view.language
  const isInForm = methods.some(({ id }) => id === failed)
  const content = html`<a class="site" href="${view.addressUrl}">${messages.useAnotherAddress}</a>${
    error && !isInForm && signInAlert(view, error)
  }${developerNote(view.details)}<div class="providers">${methods.map((method, index) => [
    // Buttons stand together; what has a field stands apart.
    index > 0 &&
      (method.password || methods[index - 1]?.password) &&
      html`<div class="or">${messages.or}</div>`,
    html`<div class="provider">${methodForm(view, method, index)}</div>`,
  ])}</div>${remember && rememberBox(messages, remember)}<a class="site" href="${view.site}">${fill(messages.backTo, view)}</a>`
  const hasPasskey = methods.some(({ passkey }) => passkey)
  return layout(view, {
    name: 'signin',
    title: messages.signInTitle,
    heading: fill(messages.signInTo, view),
    lead: html`<bdi>${email}</bdi>`,
    content,
    scripts: hasPasskey ? ['passkey', 'page'] : ['page'],
    connects: hasPasskey,
    hasForms: true,
  })
}

function methodForm(view: SignInMethodsView, method: ProviderView, index: number): Html {
  const { csrfToken, callbackUrl, error } = view
  const { passkey } = method
  return html`<form action="${method.action}" method="POST" data-method="${method.id}"${passkey && passkeyAttributes(passkey)}>${hiddenFields({ csrfToken, callbackUrl })}${
    error && method.id === view.failed && signInAlert(view, error)
  }${contentOf(view, method, index)}</form>`
}

function contentOf(view: SignInMethodsView, method: ProviderView, index: number): Html {
  const { email } = view
  const { messages } = view.language
  const badge = lastUsedBadge(method.id === view.lastUsed, messages)
  // The first is what most people do; the others stand back.
  const button = { id: `submitButton-${method.id}`, class: index === 0 ? undefined : 'plain' }
  if (method.passkey) {
    const who = html`<input type="hidden" name="email" value="${email}" data-form-field>`
    return passkeyForm(method.passkey, { fields: [who], button, badge }, messages)
  }
  if (method.kind === 'email') {
    const label = method.sendsCode ? messages.sendSignInCode : messages.sendSignInLink
    return html`${hiddenFields({ email })}<button${attributes({ type: 'submit', ...button })}><span>${label}</span>${badge}</button>`
  }
  const isFailed = method.id === view.failed
  // An alert has the focus, so that it is read out.
  const autofocus = index === 0 && view.error === undefined
  const fields = method.fields
    .filter(({ name }) => name !== 'email')
    .map(field => {
      const focused = { ...field, attributes: { ...field.attributes, autofocus } }
      return inputOf({ provider: method, field: focused, isFailed, messages })
    })
  // Programs that keep passwords want to know whose it is.
  const who = html`<input type="text" name="email" value="${email}" autocomplete="username" hidden readonly>`
  return html`${who}${fields}<button${attributes({ type: 'submit', ...button })}><span>${messages.signIn}</span>${badge}</button>${passwordLinks(method, messages)}`
}
