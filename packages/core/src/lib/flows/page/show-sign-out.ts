import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { type Outgoing, page, redirect } from '../../http/response.ts'
import { signOutPage } from '../../pages/sign-out.ts'
import { beginForm } from '../request/begin-form.ts'
import { endpointUrl, pageUrl } from '../request/endpoint-url.ts'
import type { Incoming } from '../request/incoming.ts'
import { settingOf } from '../request/page-context.ts'

/** `GET signout` */
export async function showSignOut(config: ResolvedConfig, request: Incoming): Promise<Outgoing> {
  const { callbackUrl, csrfToken, cookies } = await beginForm(config, request)
  if (config.pages.signOut) {
    return redirect(pageUrl(config, request.origin, 'signOut'), cookies)
  }
  const rendered = await signOutPage({
    ...(await settingOf(config, request.origin, request)),
    action: endpointUrl(config, request.origin, 'signout'),
    csrfToken,
    callbackUrl,
  })
  return page(rendered, 200, cookies)
}
