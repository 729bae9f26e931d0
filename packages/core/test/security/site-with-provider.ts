import type { AuthConfig } from '@siteauth/core'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'

const PROVIDER = 'https://id.provider.test'

/** A provider whose codes and tokens are the names of people. */
const fetchFromProvider: typeof fetch = async (input, init) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input)
  if (pathname === '/token') {
    const code = new URLSearchParams(String(init?.body)).get('code')
    return Response.json({ access_token: code, token_type: 'bearer' })
  }
  const who = new Headers(init?.headers).get('authorization')?.slice('Bearer '.length)
  return Response.json({ id: who, name: who, email: `${who}@example.test` })
}

/** A site with that provider, and a visitor of it. */
export function startSite(config: Partial<AuthConfig>, url = 'https://app.example.com/auth') {
  const settings: Partial<AuthConfig> = {
    adapter: MemoryAdapter(),
    providers: [
      {
        id: 'op',
        name: 'OP',
        type: 'oauth',
        clientId: 'client',
        clientSecret: 'secret',
        authorization: `${PROVIDER}/authorize`,
        token: `${PROVIDER}/token`,
        userinfo: `${PROVIDER}/userinfo`,
      },
    ],
    ports: { fetch: fetchFromProvider },
    ...config,
  }
  const auth = createTestAuth(settings, { AUTH_URL: url })
  const enter = () => {
    const visitor = new Visitor(auth.handle, url)
    const begin = async () =>
      new URL((await visitor.post('/signin/op')).headers.get('location') ?? '', url)
    /** Where the provider sends the browser back to, once it knows who signs in. */
    const agree = (begun: URL, who: string) => {
      const answer = { code: who, state: begun.searchParams.get('state') ?? '' }
      return `${begun.searchParams.get('redirect_uri')}?${new URLSearchParams(answer)}`
    }
    const signInAs = async (who: string) => {
      await visitor.send(agree(await begin(), who))
      return (await visitor.session()) as { user: { name: string } } | null
    }
    return { visitor, begin, agree, signInAs }
  }
  return { ...enter(), enter, auth, settings }
}
