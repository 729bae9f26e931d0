import type { RenderedPage } from '../http/response.ts'
import type { Messages } from '../translations/messages.ts'
import { attributes, fill, type Html, html } from './shared/html.ts'
import { developerNote, layout, type PageSetting } from './shared/layout.ts'
import { passkeyAttributes, passkeyForm } from './shared/passkey-form.ts'
import { providerLogo } from './shared/provider-logo.ts'
import { signInAlert } from './shared/sign-in-alert.ts'
import {
  inputOf,
  lastUsedBadge,
  type ProviderView,
  passwordLinks,
  rememberBox,
} from './shared/sign-in-form.ts'

/** Someone who is signed in already. */
interface HereView {
  /** As they know themselves. */
  readonly person: string | undefined
  /** Where the form is sent that signs them out. */
  readonly signOut: string
}

/** The content of the sign-in page. */
export interface SignInView extends PageSetting {
  readonly providers: readonly ProviderView[]
  readonly csrfToken: string | undefined
  readonly callbackUrl: string
  /** A code from the query. */
  readonly error: string | undefined
  /** If the visitor has to wait, for how many seconds. */
  readonly retryAfter: number
  /** The id of the provider whose form it is about, if known. */
  readonly failed: string | undefined
  /**
   * The id of the provider this browser used last, or null. Undefined where the script of the page remembers
   * it instead.
   */
  readonly lastUsed: string | null | undefined
  /** A passkey that is offered in the autofill of the field for the address. */
  readonly autofill: ProviderView | undefined
  /** The user who is signed in already. */
  readonly here: HereView | null
  /** Whether the visitor is asked to stay signed in, and has said so before. */
  readonly remember: { readonly isTicked: boolean } | null
  /** The internal error, for developers. Empty in production. */
  readonly details: readonly string[]
}

/** The page on which a visitor chooses how to sign in. */
export function signInPage(view: SignInView): Promise<RenderedPage> {
  const { appName, error, here, autofill, remember } = view
  const { messages } = view.language
  const failed = failedForm(view)
  const hints = { 'data-last-used': view.lastUsed === undefined ? messages.lastUsed : null }
  const content = html`${error && !failed && signInAlert(view, error)}${developerNote(view.details)}${
    here && herePanel(view, here)
  }<div class="providers"${attributes(hints)}>${groupsOf(view.providers).map((group, index) => [
    (index > 0 || here) && html`<div class="or">${messages.or}</div>`,
    group.length > MAX_IN_A_COLUMN
      ? html`<div class="many">${group.map(each => providerForm(view, each, failed))}</div>`
      : group.map(each => providerForm(view, each, failed)),
  ])}</div>${autofill && autofillForm(view, autofill)}${
    remember && rememberBox(messages, remember)
  }<a class="site" href="${view.site}">${fill(messages.backTo, view)}</a>`
  const hasPasskey = autofill !== undefined || view.providers.some(({ passkey }) => passkey)
  return layout(view, {
    name: 'signin',
    title: messages.signInTitle,
    heading: appName ? fill(messages.signInTo, view) : messages.signIn,
    lead: appName ? undefined : fill(messages.continueTo, view),
    content,
    scripts: hasPasskey ? ['passkey', 'page'] : ['page'],
    connects: hasPasskey,
    hasForms: true,
    images: view.providers.map(({ style }) => style.logo),
  })
}

/** Longer lists would not be seen at one glance, and become a grid. */
const MAX_IN_A_COLUMN = 6

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
  const alike = providers.filter(({ kind }) => kinds.get(error)?.includes(kind))
  return alike.length === 1 ? alike[0] : undefined
}

const kinds: ReadonlyMap<string, readonly ProviderView['kind'][]> = new Map([
  ['CredentialsSignin', ['credentials']],
  ['EmailSignin', ['email', 'address']],
  ['EmailSignInError', ['email', 'address']],
])

/** For a visitor who is signed in: the user, the way on, and the way out. */
function herePanel(view: SignInView, { person, signOut }: HereView): Html {
  const { messages } = view.language
  return html`<div class="here"><p class="quiet small">${messages.signedIn}</p>${
    person && html`<p><strong><bdi>${person}</bdi></strong></p>`
  }<a class="button" href="${view.callbackUrl}">${messages.goOn}</a><form action="${signOut}" method="POST">${hiddenFields(view)}<button class="plain" type="submit">${messages.signOut}</button></form></div>`
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
    error && provider === failed && signInAlert(view, error)
  }${contentOf(view, provider, failed)}</form></div>`
}

/** Sent by a script alone, when the visitor has chosen a passkey in the autofill of the field. */
function autofillForm(view: SignInView, { action, passkey }: ProviderView): Html {
  return html`<form action="${action}" method="POST" hidden${passkey && passkeyAttributes(passkey)}>${hiddenFields(view)}</form>`
}

function contentOf(
  view: SignInView,
  provider: ProviderView,
  failed: ProviderView | undefined,
): Html {
  const isFailed = provider === failed
  const { id, kind, name, passkey } = provider
  const { messages } = view.language
  const fields = provider.fields.map(field => inputOf({ provider, field, isFailed, messages }))
  const badge = lastUsedBadge(id === view.lastUsed, messages)
  if (passkey) {
    return passkeyForm(passkey, { fields, button: { id: `submitButton-${id}` }, badge }, messages)
  }
  if (kind === 'external') {
    return html`<button type="submit" class="button">${providerLogo(name, provider.style)}<span>${labelOf(provider, messages)}</span>${badge}</button>`
  }
  // By this name applications know it; no two elements can have one name.
  const first = view.providers.find(each => each.kind !== 'external' && each.kind !== 'passkey')
  const button = { type: 'submit', id: provider === first ? 'submitButton' : `submitButton-${id}` }
  return html`${fields}<button${attributes(button)}><span>${labelOf(provider, messages)}</span>${badge}</button>${passwordLinks(provider, messages)}`
}

function labelOf({ kind, name, password }: ProviderView, messages: Messages): Html | string {
  if (kind === 'email') return messages.signInWithEmail
  if (kind === 'address') return messages.goOn
  // Users would not recognize the provider's default name.
  if (kind === 'credentials' && (name === 'Credentials' || password)) return messages.signIn
  return fill(messages.signInWith, { provider: name })
}
