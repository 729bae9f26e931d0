import { appNameOf, type Theme } from '../../branding/theme.ts'
import { fillText } from '../../translations/fill-text.ts'
import type { Language } from '../../translations/languages.ts'
import type { Messages } from '../../translations/messages.ts'
import { composeMessage, type EmailMessage } from './email-message.ts'

/** Why a message is sent. */
export type PasswordMailReason =
  | 'sign-up'
  | 'existing-user'
  | 'reset'
  | 'no-user'
  | 'changed'
  | 'removed'

/** The parts of a message about a password. */
export interface PasswordMessageOptions {
  readonly reason: PasswordMailReason
  /** Where its button leads; a page of the application in any case. */
  readonly url: string
  readonly hasLink: boolean
  readonly theme: Theme
  readonly language: Language
}

/** A message about a password, in the design of the pages. */
export function passwordMessage(options: PasswordMessageOptions): EmailMessage {
  const { reason, url, hasLink, theme, language } = options
  const { messages } = language
  const { host } = new URL(url)
  const name = appNameOf(theme) ?? host
  const isClosed = reason === 'no-user' && !hasLink
  const [subject, text] = isClosed ? (['choosePassword', 'mailNoAccount'] as const) : WORDS[reason]
  return composeMessage({
    subject: `${messages[subject]} · ${name}`,
    heading: messages[subject],
    text: fillText(messages[text], { host: name }),
    button: hasLink ? { url, label: messages.choosePassword } : null,
    note: reason === 'changed' || reason === 'removed' ? '' : messages.emailIgnore,
    origin: new URL(url).origin,
    theme,
    language,
  })
}

const WORDS: Readonly<Record<PasswordMailReason, readonly [keyof Messages, keyof Messages]>> = {
  'sign-up': ['choosePassword', 'mailSignUp'],
  'existing-user': ['choosePassword', 'mailExistingUser'],
  reset: ['choosePassword', 'mailReset'],
  'no-user': ['choosePassword', 'mailNoUser'],
  changed: ['passwordChanged', 'mailChanged'],
  removed: ['passwordRemoved', 'mailRemoved'],
}
