import { isSignInFailure, type SignInFailure } from './failure.ts'
import type { FakePerson } from './fake-person.ts'
import type { Authorization, SeenRequest } from './fake-provider.ts'
import { fails, otherThan, type ProviderState } from './provider-state.ts'
import { redirect } from './responses.ts'
import { signInPage } from './sign-in-page.ts'

/** For browsers: the page, and what its buttons do. */
export function authorizeResponse(
  provider: ProviderState,
  { url, method, body }: SeenRequest,
): Response {
  if (method !== 'POST') {
    const { automatic, people } = provider
    return automatic ? redirect(authorize(provider, url)) : signInPage(people, url.searchParams)
  }
  const asked = new URL(url)
  asked.search = body.toString()
  const failure = body.getAll('failure').find(isSignInFailure)
  return redirect(authorize(provider, asked, { as: body.get('as') ?? undefined, failure }))
}

/** Where a person returns to who was sent to an authorization URL and answered. */
export function authorize(
  provider: ProviderState,
  to: string | URL,
  { as, failure }: Authorization = {},
): URL {
  const { issuer } = provider
  const { asked, back } = readAuthorizationUrl(to)
  const isFailing = (name: SignInFailure) => fails(provider, name, { failure })
  const state = isFailing('wrong-state') ? 'of-another-sign-in' : asked.get('state')
  if (isFailing('denied')) back.searchParams.set('error', 'access_denied')
  else if (isFailing('unavailable')) back.searchParams.set('error', 'temporarily_unavailable')
  else back.searchParams.set('code', codeFor(provider, asked, personOf(provider, as), failure))
  if (state !== null) back.searchParams.set('state', state)
  const names = isFailing('wrong-response-issuer') ? otherThan(issuer) : issuer
  back.searchParams.set('iss', names)
  return back
}

function codeFor(
  { grants }: ProviderState,
  asked: URLSearchParams,
  person: FakePerson,
  failure: SignInFailure | undefined,
): string {
  const grant = {
    person,
    sid: crypto.randomUUID(),
    scope: asked.get('scope') ?? 'openid',
    nonce: asked.get('nonce'),
    failure,
  }
  const challenge = asked.get('code_challenge')
  return grants.addCode({ grant, challenge, redirectUri: asked.get('redirect_uri') })
}

function personOf({ people }: ProviderState, as: Authorization['as'] = people[0]): FakePerson {
  if (typeof as !== 'string') return as
  const person = people.find(({ sub }) => sub === as)
  if (person) return person
  const names = people.map(({ sub }) => sub).join(', ')
  throw new Error(`Nobody here is "${as}", only: ${names}. Add them to the people of the provider.`)
}

/** What an application asks for, and where people are to come back to. */
function readAuthorizationUrl(to: string | URL): { asked: URLSearchParams; back: URL } {
  const { searchParams: asked } = URL.canParse(`${to}`) ? new URL(to) : new URL('about:blank')
  const redirectUri = asked.get('redirect_uri') ?? ''
  if (/^https?:/.test(redirectUri) && URL.canParse(redirectUri)) {
    return { asked, back: new URL(redirectUri) }
  }
  // Without the query, which may be secret.
  const [found] = `${to}`.split('?', 1)
  throw new TypeError(
    `Expected an authorization URL with a redirect_uri, found "${found}". Pass the location that the ` +
      'application sent the visitor to. If that was its error page, its log says why.',
  )
}
