// Requests per second of an Express 5 route that reads who is signed in, over 32 connections, as a
// ratio of a bare route that is sent the same cookies: see lib/http-pairs.mjs.
//
// ETAGS=off npm run bench -- express-http: the same with Express's ETags turned off.
import { compareRoutes, routeBars, routeColumns, routeNote } from './lib/http-pairs.mjs'
import { report } from './lib/report.mjs'

const contenders = [
  { name: 'SiteAuth getSession, every token opened', pairs: 4, goal: 0.78 },
  { name: 'SiteAuth getSession, tokens recur', pairs: 4, goal: 0.93 },
  { name: 'SiteAuth session(), tokens recur', pairs: 4, goal: 0.93 },
  { name: 'cookie-session' },
  { name: 'express-session in memory' },
  { name: 'passport on express-session' },
  { name: 'iron-session' },
  { name: 'Better Auth, memory' },
  { name: 'Better Auth, cookie cache' },
  { name: '@auth/express getSession' },
]

report('express-http', {
  title: 'An Express route that knows who is signed in',
  note: `${routeNote} ${process.env.ETAGS === 'off' ? 'ETags are off. ' : ''}Ours: over ${contenders[0].pairs} pairs of processes.`,
  rows: await compareRoutes('express.mjs', contenders),
  columns: routeColumns([['goal', row => row.goal ?? '']]),
  bars: routeBars,
})
