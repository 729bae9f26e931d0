import type { RenderedPage } from '../http/response.ts'
import type { Messages } from '../translations/messages.ts'
import { fill, html } from './shared/html.ts'
import { developerNote, layout, type PageSetting } from './shared/layout.ts'

/** The content of the error page. */
export interface ErrorView extends PageSetting {
  /** A code from the query; anything else than the known ones shows the general page. */
  readonly error: string | undefined
  readonly signInUrl: string
  /** The internal error, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** A page for what went wrong, and the status it is shown with. */
export interface ErrorPage {
  readonly page: Promise<RenderedPage>
  readonly status: number
}

interface Case {
  readonly status: number
  readonly heading: keyof Messages
  readonly text: keyof Messages
  /** Whether signing in again can help. */
  readonly offersSignIn: boolean
}

const cases: ReadonlyMap<string, Case> = new Map([
  [
    'Configuration',
    {
      status: 500,
      heading: 'configurationHeading',
      text: 'configurationText',
      offersSignIn: false,
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      heading: 'accessDeniedHeading',
      text: 'accessDeniedText',
      offersSignIn: true,
    },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'verificationHeading',
      text: 'verificationText',
      offersSignIn: true,
    },
  ],
  [
    'InvalidCheck',
    {
      status: 400,
      heading: 'invalidCheckHeading',
      text: 'invalidCheckText',
      offersSignIn: true,
    },
  ],
  [
    'WebAuthnVerificationError',
    { status: 403, heading: 'verificationHeading', text: 'passkeyFailed', offersSignIn: true },
  ],
  [
    'NotFound',
    { status: 404, heading: 'notFoundHeading', text: 'notFoundText', offersSignIn: true },
  ],
  [
    'BadRequest',
    { status: 400, heading: 'badRequestHeading', text: 'badRequestText', offersSignIn: true },
  ],
])

const general: Case = {
  status: 200,
  heading: 'errorHeading',
  text: 'errorText',
  offersSignIn: true,
}

/** The page that explains the error, and what to do next. */
export function errorPage(view: ErrorView): ErrorPage {
  const { messages } = view.language
  const { status, heading, text, offersSignIn } = cases.get(view.error ?? '') ?? general
  const content = html`${developerNote(view.details)}${offersSignIn && html`<a class="button" href="${view.signInUrl}">${messages.signIn}</a>`}<a class="site" href="${view.site}">${fill(messages.backTo, view)}</a>`
  const page = layout(view, {
    name: 'error',
    title: messages.errorTitle,
    icon: 'alert',
    heading: messages[heading],
    lead: messages[text],
    content,
  })
  return { page, status }
}
