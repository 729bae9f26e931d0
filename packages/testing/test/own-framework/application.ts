import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { CredentialsSignin } from '@siteauth/core/errors'
import type { GuardProbe } from '@siteauth/testing/integration-config'
import { type Context, type NodeAuth, type NodeAuthConfig, SiteAuth } from './site-auth.ts'

type Handler = (context: Context) => Promise<void> | void
type Routes = readonly (readonly [route: RegExp, handler: Handler])[]

/** The application that the suite asks for, on Node alone. */
export function createApp(config: NodeAuthConfig, probe: GuardProbe): Server {
  const auth = SiteAuth(config)
  const routes = routesOf(auth, probe)
  const guard = createGuard(auth, probe)
  return createServer((req, res) => {
    const context = { req, res }
    dispatch(context).catch(() => {
      if (!res.headersSent) res.writeHead(500)
      res.end('Something went wrong.')
    })
  })

  async function dispatch(context: Context): Promise<void> {
    if (await auth.middleware(context)) return
    const { req, res } = context
    if (await guard(context)) return
    const [path] = (req.url ?? '').split('?')
    const [, handler] = routes.find(([route]) => route.test(`${req.method} ${path}`)) ?? []
    if (handler) return handler(context)
    res.writeHead(404).end()
  }
}

/** Resolves with whether the request was denied. */
function createGuard(auth: NodeAuth, probe: GuardProbe): (context: Context) => Promise<boolean> {
  if (!probe.isInFront) return async () => false
  const guard = auth.createGuard({ except: probe.except, allow: probe.allow })
  return async context => (await guard(context)).denial !== undefined
}

function routesOf(auth: NodeAuth, probe: GuardProbe): Routes {
  const { calls } = auth
  const ran: Handler = ({ res }) => void res.end(probe.ran())
  const nameOf = async (context: Context) => (await calls.getSession(context))?.user?.name

  /** A handler behind a guard of its own. */
  function behindGuard(handler: Handler, allow?: GuardProbe['allow']): Handler {
    return async context => {
      const { denial } = await auth.guard(context, { allow })
      if (!denial) await handler(context)
      else if (context.req.headers['x-slow-response']) await setTimeout(20)
    }
  }
  const guarded = (handler: Handler, allow?: GuardProbe['allow']) =>
    probe.isInFront ? handler : behindGuard(handler, allow)
  const everythingElse: Routes = probe.isInFront ? [[/^/, ran]] : []

  return [
    [/^GET \/ran$/, ({ res }) => void res.end(String(probe.count))],
    [/^GET \/login$/, ({ res }) => void res.end(probe.signInPage)],
    [/^GET \/files\//, guarded(ran)],
    [/^GET \/item\/[^/]+$/, guarded(ran)],
    [/^GET \/only-ada$/, guarded(ran, probe.allow)],
    [
      /^GET \/$/,
      async context => {
        context.res.setHeader('content-type', 'text/html')
        context.res.end(`Hello, ${(await nameOf(context)) ?? 'stranger'}`)
      },
    ],
    [
      /^GET \/api\/me$/,
      async context => {
        const session = await calls.getSession(context)
        context.res.setHeader('content-type', 'application/json').end(JSON.stringify(session))
      },
    ],
    [
      /^GET \/private$/,
      behindGuard(async context => {
        context.res.end(`Private: ${await nameOf(context)}`)
      }),
    ],
    [
      /^GET \/admin$/,
      behindGuard(
        ({ res }) => void res.end('admin'),
        ({ user }) => user?.name === 'Ada',
      ),
    ],
    [
      /^GET \/stream$/,
      async context => {
        const name = await nameOf(context)
        context.res.write(`${name} first, `)
        context.res.end(`${name} second`)
      },
    ],
    [/^GET \/still\.txt$/, ({ res }) => void res.end('still')],
    [
      /^POST \/login$/,
      async context => {
        const form = Object.fromEntries(new URLSearchParams(await text(context.req)))
        try {
          await calls.signIn(context, 'credentials', { ...form, redirectTo: '/private' })
        } catch (error) {
          if (!(error instanceof CredentialsSignin)) throw error
          context.res.writeHead(401).end('Who are you?')
        }
      },
    ],
    [/^POST \/logout$/, context => calls.signOut(context, { redirectTo: '/' })],
    [
      /^POST \/rename$/,
      async context => {
        const name = new URLSearchParams(await text(context.req)).get('name')
        context.res.end(JSON.stringify(await calls.update(context, { name })))
      },
    ],
    ...everythingElse,
  ]
}
