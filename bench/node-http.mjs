// Requests per second of a server of Node without a framework that reads who is signed in, over 32
// connections, as a ratio of one that is sent the same cookies and does not look: see lib/http-pairs.mjs.
// There is little beside the look, so that it shows more than with Express.
import { compareRoutes, routeBars, routeColumns, routeNote } from './lib/http-pairs.mjs'
import { report } from './lib/report.mjs'

report('node-http', {
  title: 'A server of Node that knows who is signed in',
  note: `${routeNote} One pair of processes each.`,
  rows: await compareRoutes('node-http.mjs', [
    { name: 'SiteAuth, every token opened' },
    { name: 'SiteAuth, tokens recur' },
    { name: 'cookie-session' },
    { name: 'express-session in memory' },
    { name: 'iron-session' },
    { name: 'Better Auth, memory' },
    { name: '@auth/core, GET session' },
  ]),
  columns: routeColumns(),
  bars: routeBars,
})
