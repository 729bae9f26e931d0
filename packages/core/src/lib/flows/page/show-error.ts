import type { PageConfig, ResolvedConfig } from '../../config/resolved-config.ts'
import { type Outgoing, type OutgoingPage, page, redirect } from '../../http/response.ts'
import { errorPage } from '../../pages/error.ts'
import { pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { type Asker, settingOf } from '../request/page-context.ts'
import { lastError } from './last-error.ts'

/** `GET error` */
export async function showError(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { error } = request.query
  if (config.pages.error) return redirect(pageUrl(config, request.origin, 'error', { error }))
  const details = lastError(config, error)
  return builtInError(config, request.origin, request, error, details)
}

/** The built-in error page, whatever the application has. */
export async function builtInError(
  config: PageConfig,
  origin: string,
  asker: Asker,
  error: string | undefined,
  details: readonly string[] = [],
): Promise<OutgoingPage> {
  const shown = errorPage({
    ...(await settingOf(config, origin, asker)),
    error,
    signInUrl: pageUrl(config, origin, 'signIn'),
    details: config.development ? details : [],
  })
  return page(await shown.page, shown.status)
}
