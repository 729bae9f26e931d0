import { once } from 'node:events'
import { ExpressAuth, getSession } from '@auth/express'
import Credentials from '@auth/express/providers/credentials'
import express from 'express'
import { authorize, settings, visit } from './visit.mjs'

const config = { ...settings, providers: [Credentials({ credentials: { name: {} }, authorize })] }
const app = express()
app.use('/auth/*splat', ExpressAuth(config))
app.get('/me', async (req, res) => res.json((await getSession(req, config))?.user?.name ?? null))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const origin = `http://127.0.0.1:${server.address().port}`

await visit(
  request => fetch(new Request(request, { redirect: 'manual' })),
  `${origin}/auth`,
  async headers => (await (await fetch(`${origin}/me`, { headers })).json()) ?? undefined,
)
server.close()
