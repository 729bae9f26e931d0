import type { RenderedPage } from '../http/outgoing.ts'
import { html } from './html.ts'
import { layout, type PageSetting } from './layout.ts'

/** What the error page shows. */
export interface ErrorView extends PageSetting {
  /** A code from the query; anything else than the known ones shows the general page. */
  readonly error: string | undefined
  readonly signInUrl: string
  /** What is wrong inside, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** A page for what went wrong, and the status it is shown with. */
export interface ErrorPage {
  readonly page: Promise<RenderedPage>
  readonly status: number
}

interface Words {
  readonly status: number
  readonly heading: string
  readonly text: string
  readonly offersSignIn: boolean
}

const known: ReadonlyMap<string, Words> = new Map([
  [
    'Configuration',
    {
      status: 500,
      heading: 'Server error',
      text: 'There is a problem with the server configuration. Check the server logs for more information.',
      offersSignIn: false,
    },
  ],
  [
    'AccessDenied',
    {
      status: 403,
      heading: 'Access Denied',
      text: 'You do not have permission to sign in.',
      offersSignIn: true,
    },
  ],
  [
    'Verification',
    {
      status: 403,
      heading: 'Unable to sign in',
      text: 'The sign in link is no longer valid. It may have been used already or it may have expired.',
      offersSignIn: true,
    },
  ],
  [
    'InvalidCheck',
    {
      status: 400,
      heading: 'Please sign in again',
      text: 'This sign in took too long, was finished already, or was started in another browser.',
      offersSignIn: true,
    },
  ],
  [
    'NotFound',
    { status: 404, heading: 'Not found', text: 'There is no such page here.', offersSignIn: true },
  ],
  [
    'BadRequest',
    {
      status: 400,
      heading: 'Bad request',
      text: 'The request could not be understood.',
      offersSignIn: true,
    },
  ],
])

const general: Words = { status: 200, heading: 'Error', text: '', offersSignIn: false }

/** The page that says what went wrong. */
export function errorPage(view: ErrorView): ErrorPage {
  const words = known.get(view.error ?? '') ?? general
  const content = html`<div class="error"><div class="card"><h1>${words.heading}</h1>${
    words.text && html`<p>${words.text}</p>`
  }${view.details.map(detail => html`<pre>${detail}</pre>`)}${
    words.offersSignIn && html`<p><a class="button" href="${view.signInUrl}">Sign in</a></p>`
  }<p><a class="site" href="${view.site}">${view.host}</a></p></div></div>`
  return { page: layout(view, { title: 'Error', content }), status: words.status }
}
