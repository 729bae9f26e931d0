import { ErrorPageLoop } from '../base/errors.ts'
import type { PageConfig } from '../config/resolved-config.ts'
import type { SiteAddress } from '../config/site-address.ts'
import type { WireResponse } from '../http/write-response.ts'
import type { Denial } from './decide-access.ts'
import type { ExceptNames } from './exemptions.ts'
import { type GuardedRequest, signInLocation } from './sign-in-location.ts'
import { guardedSignInPage, toDenial } from './to-denial.ts'

/** Further facts about a request that a guard denies. */
export interface DenyOptions {
  /** The sign-in page, if it is not the configured one. */
  readonly redirectTo?: string | undefined
  /** The name in `except` that would exempt the request, if the framework reveals it. */
  readonly name?: { readonly kind: ExceptNames; readonly text: string | undefined } | undefined
}

/** The response to a denied request. */
export interface DeniedResponse {
  readonly response: WireResponse
  /** An error of the application: see {@link logPageLoop}. */
  readonly error?: ErrorPageLoop | undefined
}

/** Denies a request of a framework. */
export function denyRequest(
  app: SiteAddress,
  request: GuardedRequest,
  denial: Denial,
  { redirectTo, name }: DenyOptions = {},
): DeniedResponse {
  const { wantsPage } = request
  const { url, isHere } = signInLocation(app, request, redirectTo)
  // A function is not a page, though it may be called at the address of one.
  const isFunction = name !== undefined && name.text === undefined
  if (denial === 'sign in' && wantsPage && isHere && !isFunction) {
    return { response: guardedSignInPage(), error: pageLoop(url, name) }
  }
  return { response: toDenial(denial, { wantsPage, signInUrl: url }) }
}

/** Logs the error once for each page: visitors can cause it as often as they like. */
export function logPageLoop(
  { logger, runtime }: Pick<PageConfig, 'logger' | 'runtime'>,
  fault: ErrorPageLoop,
): void {
  runtime.loggedPageLoops ??= new Set()
  if (runtime.loggedPageLoops.has(fault.message)) return
  runtime.loggedPageLoops.add(fault.message)
  logger.error(fault)
}

function pageLoop(signInUrl: string, name: DenyOptions['name']): ErrorPageLoop {
  const page = signInUrl.replace(/[?#].*$/s, '')
  // A pattern would open more than that page.
  const isPage = name?.text !== undefined && !/[*:[{(]/.test(name.text)
  const cure = isPage
    ? `If that page is the application's own, add ${JSON.stringify(name?.text)} to the option except of the guard; otherwise, ` +
      'mount the endpoints before it.'
    : 'Mount the endpoints before the guard, and exempt a sign-in page of your own from it.'
  return new ErrorPageLoop(
    `The sign-in page ${page} is behind the guard, so nobody can sign in. ${cure}`,
  )
}
