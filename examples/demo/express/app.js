import {
  endOtherSessions,
  endSession,
  listSessions,
  ServerAuth,
  session,
  signOut,
} from '@siteauth/express'
import express from 'express'
import { configure } from '../auth.js'
import { askForPanels, tellDesk } from '../tell-desk.js'
import { devicesPage } from './devices-page.js'
import { page } from './page.js'

const configs = configure('Express')
const modeOf = req => (/demo\.sessions=cookie/.test(req.headers.cookie ?? '') ? 'cookie' : 'sqlite')

/** Chooses by the switch on the page, for each request. */
const choose = make => {
  const made = { sqlite: make(configs.sqlite), cookie: make(configs.cookie) }
  return (req, res, next) => made[modeOf(req)](req, res, next)
}

export function createApp() {
  const app = express()
  app.use('/auth', choose(ServerAuth))

  app.get('/', choose(session), async (req, res) => {
    const { session } = res.locals
    const mode = modeOf(req)
    const facts = { app: 'Express', mode, session, cookies: req.headers.cookie ?? '' }
    res.send(page({ session, mode, ...(await askForPanels(facts)) }))
  })

  app.get('/devices', async (req, res) => {
    const mode = modeOf(req)
    const sessions = await listSessions(req, configs[mode])
    if (sessions.length === 0) return res.redirect('/')
    const { head } = await askForPanels({ app: 'Express', mode, session: null, cookies: '' })
    res.set('cache-control', 'private, no-store').send(devicesPage({ sessions, head }))
  })

  app.post('/devices/end', express.urlencoded({ extended: false }), async (req, res) => {
    await endSession(req, res, configs[modeOf(req)], req.body.handle)
    await tellDesk('Express', 'endSession', 'A session was ended from another device')
    res.redirect('/devices')
  })

  app.post('/devices/end-others', async (req, res) => {
    await endOtherSessions(req, res, configs[modeOf(req)])
    await tellDesk('Express', 'endSession', 'All sessions but one were ended')
    res.redirect('/devices')
  })

  app.post('/leave', (req, res, next) => {
    signOut(req, res, configs[modeOf(req)], { redirectTo: '/' }).catch(next)
  })

  app.post('/sessions/:mode', (req, res) => {
    res.cookie('demo.sessions', req.params.mode, { httpOnly: true, sameSite: 'lax' }).redirect('/')
  })

  return app
}
