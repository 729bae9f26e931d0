// How long it takes to know who is signed in, from the cookie header of a request. The limit is the
// same token verified, decrypted and parsed with Node's own functions and the keys at hand. Opening a
// token without making those functions' objects goes below it, so that limit is there as well.
import { createAuth } from '@siteauth/core'
import { getToken } from '@siteauth/core/jwt'
import GitHub from '@siteauth/core/providers/github'
import { compareSizes, SIZE_COUNT } from './lib/claim-sizes.mjs'
import { measure } from './lib/measure.mjs'
import { expectParts } from './lib/progress.mjs'
import { report, timeBars, timeColumns } from './lib/report.mjs'
import { contendersFor, mark, ours } from './lib/session-contenders.mjs'
import { keptLimit, limit, secret, visitorWith } from './lib/visitor.mjs'

const DAY = 24 * 60 * 60 * 1000
const quick = process.env.QUICK ? { rounds: 3 } : {}

expectParts(2 + SIZE_COUNT)
const visitor = await visitorWith(410)
await compareKinds()
await comparePeers()
await compareSizes('session-claims', {
  title: 'Who is signed in, by the size of the claims',
  note: 'Tokens of more than 4 kB come in several cookies, as browsers send them. A dash: no cookie of a browser holds so much.',
  limit,
  contendersFor,
  rounds: 7,
  roundMs: 20,
  ...quick,
})

/** Ours, alone with what it stands on. */
async function compareKinds() {
  const off = { jwt: { cacheBytes: 0 } }
  const opening = ours(off)
  const remembering = ours()
  const callbacks = {
    jwt: ({ token }) => token,
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  }
  const withCallbacks = ours({ ...off, callbacks })
  const rememberingCallbacks = ours({ callbacks })
  const many = ours({
    ...off,
    providers: Array.from({ length: 200 }, (_, index) =>
      GitHub({ id: `github-${index}`, clientId: 'a', clientSecret: 'b' }),
    ),
  })
  const due = createAuth(
    { secret, trustHost: true, providers: [], ...off, ports: { now: () => Date.now() + 2 * DAY } },
    { env: {} },
  )
  report('session-check', {
    title: 'Who is signed in, from the cookie of a request',
    note: `Claims of ${visitor.size} bytes, one at a time. Limit: verify, decrypt and parse with \`Hmac\` and \`Decipher\` of Node, made for each token. The second limit makes neither.`,
    rows: await measure(
      [
        { name: 'limit', run: () => limit(visitor.token()) },
        { name: 'limit, no object made', run: () => keptLimit(visitor.token()) },
        mark('every token opened', () => opening.getSession(visitor.request())),
        mark('the same, 200 providers configured', () => many.getSession(visitor.request())),
        mark('the same, with callbacks', () => withCallbacks.getSession(visitor.request())),
        mark('the same, renewing the cookie', () => due.getSession(visitor.request())),
        mark('token remembered', () => remembering.getSession(visitor.request())),
        mark('the same, with callbacks', () => rememberingCallbacks.getSession(visitor.request())),
        mark('getToken', () => getToken({ req: visitor.request(), secureCookie: true, secret })),
      ],
      quick,
    ),
    columns: timeColumns,
    bars: timeBars,
  })
}

/** Everything that people use, in one process. */
async function comparePeers() {
  report('session-peers', {
    title: 'Who is signed in: against the peers',
    note: 'express-session looks into a map, cookie-session only signs; all others verify and decrypt, or verify and look up.',
    rows: await measure(
      [{ name: 'limit', run: () => limit(visitor.token()) }, ...(await contendersFor(visitor))],
      { rounds: 21, ...quick },
    ),
    columns: timeColumns,
    bars: timeBars,
  })
}
