import type { Messages } from '../../translations/messages.ts'
import { attributes, type Html, html } from './html.ts'
import { icon } from './icons.ts'

/** A password with a button that shows it, where scripts run. */
export function revealable(input: Html, id: string, messages: Messages): Html {
  const button = {
    class: 'reveal',
    type: 'button',
    'aria-pressed': 'false',
    'aria-controls': id,
    hidden: true,
  }
  // No `aria-label`: a test that looks for the label "Password" is to find the field alone.
  return html`<div class="secret">${input}<button${attributes(button)}>${icon('eye', '')}<span>${messages.showPassword}</span></button></div>`
}
