// What it takes to have an access token that is valid, for somebody who is signed in: everything in memory, so
// that what is measured is the libraries. The limit is to know who is signed in, which all of them have to.
import { MemoryAdapter } from '@siteauth/adapters/memory'
import { createAuth } from '@siteauth/core'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { startBetterAuth } from './lib/better-auth.mjs'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'
import { secret } from './lib/signed-in.mjs'

const rounds = Number(process.env.ROUNDS ?? 41)
const HOUR = 3600
const ORIGIN = 'https://app.example.com'
// As long as those of large providers.
const accessToken = 'a'.repeat(1200)
const refreshToken = 'r'.repeat(200)

const remembering = await signedIn({})
const opening = await signedIn({ tokenCacheSeconds: 0 })
const plain = await signedIn({ tokenCacheSeconds: 0, encryptTokens: false })
const kept = await signedIn({ storeTokensInCookie: true }, null)
const better = await betterAuthWithAccount()

expectParts(1)
report('access-token', {
  title: 'An access token that is valid',
  note: `With JWT sessions, a token of ${accessToken.length} bytes and everything in memory. Limit: who is signed in. Our store keeps tokens sealed unless it says otherwise; that of Better Auth does not.`,
  rows: await measure(
    [
      {
        name: 'limit: who is signed in',
        run: () => remembering.auth.getSession(remembering.request),
      },
      mark('SiteAuth, remembered for 30 seconds', remembering),
      mark('SiteAuth, read and opened each time', opening),
      mark('SiteAuth, read each time, not sealed', plain),
      mark('SiteAuth, from a cookie, without a store', kept),
      { name: 'Better Auth, memory', run: better },
    ],
    { rounds },
  ),
  columns: timeColumns,
  bars: timeBars,
})

function mark(name, { auth, request }) {
  const run = async () => {
    if ((await auth.accounts.getAccessToken(request, 'op')).accessToken !== accessToken)
      throw new Error(name)
  }
  return { name, ours: true, run }
}

/** Somebody who has signed in with a provider. */
async function signedIn(account, adapter = MemoryAdapter()) {
  const answers = {
    '/token': {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'bearer',
      expires_in: HOUR,
      scope: 'read',
    },
    '/me': { id: '1', email: 'ann@example.com' },
  }
  const auth = createAuth(
    {
      secret,
      trustHost: true,
      account,
      session: { strategy: 'jwt' },
      ...(adapter && { adapter }),
      providers: [
        {
          id: 'op',
          name: 'Provider',
          type: 'oauth',
          clientId: 'client',
          clientSecret: 'a secret',
          authorization: 'https://op.example.com/authorize',
          token: 'https://op.example.com/token',
          userinfo: 'https://op.example.com/me',
          profile: ({ id, email }) => ({ id, email }),
        },
      ],
      ports: { fetch: async url => Response.json(answers[new URL(url).pathname]) },
    },
    { env: {} },
  )
  const jar = new Map()
  const send = async (path, init) => {
    const headers = { cookie: cookieOf(jar) }
    const response = await auth.handle(new Request(`${ORIGIN}/auth${path}`, { headers, ...init }))
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return response
  }
  const { csrfToken } = await (await send('/csrf')).json()
  const started = await send('/signin/op', {
    method: 'POST',
    body: new URLSearchParams({ csrfToken }),
  })
  const state = new URL(started.headers.get('location')).searchParams.get('state')
  await send(`/callback/op?${new URLSearchParams({ code: 'code', state })}`)
  return { auth, request: new Request(ORIGIN, { headers: { cookie: cookieOf(jar) } }) }
}

function cookieOf(jar) {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

/** The same with Better Auth. */
async function betterAuthWithAccount() {
  const tables = { user: [], session: [], account: [], verification: [] }
  const { auth, cookie } = await startBetterAuth(secret, {
    database: memoryAdapter(tables),
    socialProviders: { google: { clientId: 'client', clientSecret: 'a secret' } },
  })
  const now = new Date()
  tables.account.push({
    id: 'account',
    accountId: '1',
    providerId: 'google',
    userId: tables.user[0].id,
    accessToken,
    refreshToken,
    accessTokenExpiresAt: new Date(now.getTime() + HOUR * 1000),
    scope: 'read',
    createdAt: now,
    updatedAt: now,
  })
  const headers = new Headers({ cookie })
  return async () => {
    const found = await auth.api.getAccessToken({ body: { accountId: 'account' }, headers })
    if (found.accessToken !== accessToken) throw new Error('Better Auth')
  }
}
