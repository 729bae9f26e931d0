import type { PageConfig } from '../../config/resolved-config.ts'
import type { PasswordConfig, PasswordPage } from '../../providers/password.ts'
import { endpointUrl, ownPage, withParams } from '../request/endpoint-url.ts'

/** The URL of a page about a password: the application's own if it has one, otherwise ours. */
export function passwordPageUrl(
  config: Pick<PageConfig, 'paths'>,
  origin: string,
  provider: PasswordConfig,
  page: PasswordPage,
  params: Readonly<Record<string, string | undefined>> = {},
): string {
  const own = provider.pages?.[page]
  return withParams(
    own ? ownPage(config, origin, own) : endpointUrl(config, origin, builtInPath(provider, page)),
    params,
  )
}

function builtInPath({ id }: PasswordConfig, page: PasswordPage): string {
  switch (page) {
    case 'signUp':
      return 'password/sign-up'
    case 'forgot':
      return 'password/forgot'
    case 'choose':
      return `callback/${encodeURIComponent(id)}`
    case 'change':
      return 'password'
  }
}
