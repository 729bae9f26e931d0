import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * The rows of the specification that the engine covers, by hand. A row stands here if a test of this
 * folder must name it at the start of its title.
 */
const ROWS = `
1.1 AUTH_SECRET
1.1 AUTH_URL
1.1 AUTH_<PROVIDER>_ID
1.1 AUTH_<PROVIDER>_SECRET
1.1 AUTH_REDIRECT_PROXY_URL
1.1 item 1
1.1 item 2
1.1 item 3
2.1 expires
2.1 user
2.2 id
2.2 name
2.2 email
2.2 image
2.3 provider
2.3 providerAccountId
2.3 type
2.3 userId
2.5 JWT
2.6 providers
2.6 adapter
2.6 basePath
2.6 secret
2.6 session.strategy
2.6 session.maxAge
2.6 session.updateAge
2.6 session.generateSessionToken
2.6 jwt
2.6 callbacks
2.6 events
2.6 pages.signIn
2.6 pages.signOut
2.6 pages.error
2.6 pages.verifyRequest
2.6 pages.newUser
2.6 cookies
2.6 useSecureCookies
2.6 trustHost
2.6 redirectProxyUrl
2.6 experimental.enableWebAuthn
2.6 debug
2.6 logger
2.6 skipCSRFCheck
2.6 theme
2.7 AuthError
2.7 AuthError message
2.7 AuthError name
2.7 AuthError stack
2.7 AuthError type
2.7 AuthError cause
2.7 AuthError constructor
2.7 CredentialsSignin
2.7 CredentialsSignin code
2.7 CredentialsSignin type
2.7 CredentialsSignin constructor
4.1 session
4.1 callback/<provider_id>
4.1 sign-in and sign-out requests
4.1 catch-all
4.3 signIn
4.3 redirect
4.3 session
4.3 jwt
5 item 1
5 item 2
5 item 3
5 item 4
5 item 5
5 item 6
5 item 7
5 item 8
6 signIn
6 signOut
6 session
7 AUTH_SECRET not set in production
7 signIn() fails
7 CredentialsSignin thrown from authorize in a flow with redirects
7 CredentialsSignin thrown in a framework that handles form actions server-side
7 signIn callback returns false or throws
7 Unhandled error in the signIn callback
7 Credentials failure codes
8 session.maxAge default
8 session.updateAge default
8 AUTH_SECRET recommended minimum length
`
  .trim()
  .split('\n')

/** The titles of the tests beside this one, as they stand in the source; skipped ones do not count. */
function titles(): string[] {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder)
    .filter(name => name.endsWith('.test.ts') && !import.meta.url.endsWith(name))
    .map(name => readFileSync(new URL(name, folder), 'utf8'))
  const title = /(?:\bit|\bit\.each\([^;]*?\))\(\s*(['"`])(\d.*?)\1,/g
  return sources.flatMap(source => [...source.matchAll(title)].flatMap(([, , text]) => text ?? []))
}

describe('The specification', () => {
  const all = titles()

  it.each(ROWS)('has a test for its row %s', row => {
    expect(all.filter(title => title.startsWith(`${row}:`))).not.toEqual([])
  })

  it('has no row that is not in the list', () => {
    const known = [...ROWS, '2.1 Session', '2.2 User', '2.6 SiteAuthConfig', '2.6 pages']
    const joined =
      /^6 signIn, signOut and session:|^2\.6 pages\.newUser, pages\.error and the others/
    const strange = all.filter(
      title => !joined.test(title) && !known.some(row => title.startsWith(`${row}:`)),
    )
    expect(strange).toEqual([])
    expect(all.length).toBeGreaterThan(200)
  })
})
