import { SiteAuth } from '@siteauth/express'
import express from 'express'
import { configure } from '../auth.js'
import { askForPanels, tellDesk } from '../tell-desk.js'
import { devicesPage } from './devices-page.js'
import { page } from './page.js'

const configs = configure('Express')
const auths = { sqlite: SiteAuth(configs.sqlite), cookie: SiteAuth(configs.cookie) }
const modeOf = req => (/demo\.sessions=cookie/.test(req.headers.cookie ?? '') ? 'cookie' : 'sqlite')

/** Chooses by the switch on the page, for each request. */
const authFor = req => auths[modeOf(req)]

export function createApp() {
  const app = express()
  app.use('/auth', (req, res, next) => authFor(req).handler(req, res, next))

  app.get('/', async (req, res) => {
    const session = await authFor(req).getSession(req)
    const mode = modeOf(req)
    const facts = { app: 'Express', mode, session, cookies: req.headers.cookie ?? '' }
    res.send(page({ session, mode, ...(await askForPanels(facts)) }))
  })

  app.get('/devices', async (req, res) => {
    const mode = modeOf(req)
    const sessions = await authFor(req).sessions.list(req)
    if (sessions.length === 0) return res.redirect('/')
    const { head } = await askForPanels({ app: 'Express', mode, session: null, cookies: '' })
    res.set('cache-control', 'private, no-store').send(devicesPage({ sessions, head }))
  })

  app.post('/devices/end', express.urlencoded({ extended: false }), async (req, res) => {
    await authFor(req).sessions.end(req, req.body.handle)
    await tellDesk('Express', 'endSession', 'A session was ended from another device')
    res.redirect('/devices')
  })

  app.post('/devices/end-others', async (req, res) => {
    await authFor(req).sessions.endOthers(req)
    await tellDesk('Express', 'endSession', 'All sessions but one were ended')
    res.redirect('/devices')
  })

  app.post('/leave', (req, _res, next) => {
    authFor(req).signOut(req, { redirectTo: '/' }).catch(next)
  })

  app.post('/sessions/:mode', (req, res) => {
    res.cookie('demo.sessions', req.params.mode, { httpOnly: true, sameSite: 'lax' }).redirect('/')
  })

  return app
}
