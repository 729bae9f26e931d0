import type { RenderedPage } from '../http/response.ts'
import { fill, html } from './shared/html.ts'
import { layout, type PageSetting } from './shared/layout.ts'
import { addPasskeyForm, type PasskeyView, passkeyAttributes } from './shared/passkey-form.ts'

/** The content of the page on which a passkey is created. */
export interface AddPasskeyView extends PageSetting {
  /** Where the form is sent. */
  readonly action: string
  readonly passkey: PasskeyView
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** The user who is signed in, by a name the user recognizes. */
  readonly person: string
}

/** The page on which someone who is signed in makes a passkey. */
export function addPasskeyPage(view: AddPasskeyView): Promise<RenderedPage> {
  const { messages } = view.language
  // Nothing waits in the autofill of a page that has no field.
  const passkey = { ...view.passkey, autofill: false, named: false }
  const content = html`<form action="${view.action}" method="POST"${passkeyAttributes(passkey)}>${
    view.csrfToken && html`<input type="hidden" name="csrfToken" value="${view.csrfToken}">`
  }<input type="hidden" name="callbackUrl" value="${view.callbackUrl}">${addPasskeyForm(messages)}</form><a class="site" href="${view.callbackUrl}">${fill(messages.backTo, view)}</a>`
  return layout(view, {
    name: 'add-passkey',
    title: messages.addPasskey,
    icon: 'person',
    heading: messages.addPasskey,
    lead: view.person,
    content,
    scripts: ['passkey', 'page'],
    connects: true,
    hasForms: true,
  })
}
