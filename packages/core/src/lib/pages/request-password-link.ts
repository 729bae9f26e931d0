import type { RenderedPage } from '../http/response.ts'
import { attributes, fill, html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'
import { hiddenFields } from './shared/password-form.ts'

/** The content of the pages on which a visitor requests a link to choose a password. */
export interface PasswordLinkView extends PageSetting {
  readonly purpose: 'sign-up' | 'reset'
  readonly action: string
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** The address that the link to the page names. */
  readonly email: string | undefined
  readonly signInUrl: string
}

/** The page for a new user, or one who forgot the password. */
export function passwordLinkPage(view: PasswordLinkView): Promise<RenderedPage> {
  const { messages } = view.language
  const { csrfToken, callbackUrl, purpose } = view
  const heading = purpose === 'sign-up' ? messages.createAccount : messages.forgotPassword
  const input = {
    id: 'input-email',
    name: 'email',
    type: 'email',
    autocomplete: 'email',
    placeholder: 'email@example.com',
    required: true,
    value: view.email ?? '',
  }
  const content = html`<form action="${view.action}" method="POST">${hiddenFields({ csrfToken, callbackUrl })}<label for="input-email">${messages.email}</label><input${attributes(input)}><button id="submitButton" type="submit">${messages.sendLink}</button></form><a class="button plain" href="${view.signInUrl}">${messages.signIn}</a><a class="site" href="${view.site}">${fill(messages.backTo, view)}</a>`
  return layout(view, {
    name: 'ask-for-password signin',
    title: heading,
    icon: 'mail',
    heading,
    lead: messages.passwordLinkText,
    content,
    scripts: ['page'],
    hasForms: true,
  })
}
