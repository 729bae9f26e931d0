import { readFileSync } from 'node:fs'
import express from 'express'
import { inboxPage } from '../window/inbox.js'
import { createPanels } from '../window/panels.js'
import { style } from '../window/plain-page.js'
import { startPage } from '../window/start-page.js'

const live = readFileSync(new URL('../window/live.js', import.meta.url), 'utf8')
const logo = readFileSync(new URL('../window/logo.svg', import.meta.url), 'utf8')
const KEPT = 50

/**
 * What is no application: the start page, the inbox, the list of events, and the panels that both
 * applications show around their own part.
 *
 * @param {{ token: string, messages: object[], addresses: Record<string, string> }} demo
 */
export function createDesk({ token, messages, addresses }) {
  const events = []
  const listeners = new Set()
  const drawPanels = createPanels(addresses)

  /** Shows something to everybody who looks on. */
  function tell(event) {
    events.unshift({ at: new Date(), ...event })
    events.splice(KEPT)
    for (const response of listeners) response.write(asMessage(events[0]))
  }

  const app = express()
  app.disable('x-powered-by')
  app.get('/', (_req, res) => res.send(String(startPage(addresses))))
  app.get('/inbox', (_req, res) => res.send(String(inboxPage(addresses, messages))))
  app.get('/style.css', (_req, res) => res.type('css').send(style))
  app.get('/live.js', (_req, res) => res.type('js').send(live))
  app.get('/logo.svg', (_req, res) => res.type('svg').send(logo))

  app.get('/events', (req, res) => {
    const { origin } = req.headers
    if (Object.values(addresses).includes(origin)) res.set('access-control-allow-origin', origin)
    res.set({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders()
    for (const event of events.toReversed()) res.write(asMessage(event))
    listeners.add(res)
    res.on('close', () => listeners.delete(res))
  })

  // Only the applications know the token.
  app.use((req, res, next) => {
    if (req.headers.authorization === `Bearer ${token}`) next()
    else res.sendStatus(404)
  })
  app.use(express.json())
  app.post('/events', (req, res) => {
    tell(req.body)
    res.sendStatus(204)
  })
  app.post('/panels', (req, res) => res.json(drawPanels(req.body)))

  return { app, tell }
}

function asMessage(event) {
  return `data: ${JSON.stringify(event)}\n\n`
}
