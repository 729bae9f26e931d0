import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MemoryAdapter } from '@siteauth/adapters/memory'
import Credentials from '@siteauth/core/providers/credentials'
import { SiteAuth } from '@siteauth/express'
import express from 'express'
import { bundle, type versions } from '../bundle.ts'

/** A site on loopback whose pages use the client. */
export interface Site {
  readonly origin: string
  /** How often the session was asked for since the last time this was looked at. */
  countReads(): number
  close(): Promise<void>
}

/** Serves an application on Express, whose one page is `application.ts`. */
export async function startSite(
  react: (typeof versions)[number],
  strategy: 'jwt' | 'database',
): Promise<Site> {
  const script = await bundle(`import { start } from './browser/application.ts'; start()`, react)
  const stream = await streamOn(react)
  const adapter = MemoryAdapter()
  const ann = await adapter.createUser({
    id: '1',
    name: 'Ann',
    email: 'ann@example.test',
    emailVerified: null,
  })
  const auth = SiteAuth({
    secret: 'a secret for tests, long enough',
    session: {
      strategy,
      ...(strategy === 'jwt' && {
        revocation: { log: adapter.revocations },
        track: adapter.trackedSessions,
      }),
    },
    ...(strategy === 'database' && { adapter }),
    logger: { error: () => {}, warn: () => {} },
    providers: [
      Credentials({
        credentials: { name: {}, password: {} },
        authorize: ({ password }) => (password === 'right' ? ann : null),
      }),
    ],
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === 'update' ? { ...token, ...(session as object) } : token, // the tests send one
      session: ({ session, trigger, newSession }) =>
        trigger === 'update'
          ? { ...session, user: { ...session.user, ...(newSession as object) } }
          : session,
    },
  })
  let reads = 0
  const app = express()
  app.use((req, _res, next) => {
    if (req.method === 'GET' && req.path === '/auth/session') reads++
    next()
  })
  app.use('/auth', auth.handler)
  app.post('/server/sign-in', async (req, res) => {
    const fields = { name: 'Ann', password: 'right', redirect: false }
    await auth.signIn(req, 'credentials', fields)
    res.json('done')
  })
  app.post('/server/sign-out', async (req, res) => {
    await auth.signOut(req, { redirect: false })
    res.json('done')
  })
  app.get('/app.js', (_req, res) => void res.type('js').send(script))
  app.get(['/', '/form', '/member', '/devices'], async (req, res) => {
    const settings = {
      basePath: '/auth',
      isStrict: 'strict' in req.query,
      ...('rendered' in req.query && { session: await auth.getSession(req) }),
    }
    res.type('html').send(pageWith(settings))
  })
  let release = () => {}
  app.get('/streamed', (_req, res) => {
    let isLate = true
    const released = new Promise<void>(resolve => {
      release = () => {
        isLate = false
        resolve()
      }
    })
    res.type('html')
    stream(() => (isLate ? released : undefined), res)
  })
  app.post('/release', (_req, res) => {
    release()
    res.json('done')
  })
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    countReads() {
      const count = reads
      reads = 0
      return count
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

type Stream = (late: () => Promise<void> | undefined, to: NodeJS.WritableStream) => void

/** How a server sends a page in parts. */
async function streamOn(react: (typeof versions)[number]): Promise<Stream> {
  const script = await bundle(
    `import { renderToPipeableStream } from 'react-dom/server'
    import { Streamed } from './browser/streamed.ts'

    export function stream(late, to) {
      const page = (
        <html lang="en"><head><title>Application</title><link rel="icon" href="data:," /></head>
          <body><div id="root"><Streamed late={late} /></div></body></html>
      )
      const options = { bootstrapModules: ['/app.js'], onShellReady: () => sent.pipe(to) }
      const sent = renderToPipeableStream(page, options)
    }`,
    react,
    'node',
  )
  const url = `data:text/javascript;base64,${Buffer.from(script).toString('base64')}`
  return (await import(/* @vite-ignore */ url)).stream
}

function pageWith(settings: object): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Application</title>
<link rel="icon" href="data:,"></head><body><div id="root"></div>
<script type="application/json" id="settings">${JSON.stringify(settings)}</script>
<script type="module" src="/app.js"></script></body></html>`
}
