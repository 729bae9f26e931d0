import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type App, toNodeListener, toWebHandler } from 'h3'
import { afterAll } from 'vitest'

/** Sends a request to a path of an application. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>

/** An application behind Node's server. */
function onNode(app: App): Send {
  const server = createServer(toNodeListener(app))
  const listening = new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return async (path, init) => {
    await listening
    const { port } = server.address() as AddressInfo
    return fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init })
  }
}

/** The same application on a platform that has requests and responses of the web. */
function onTheWeb(app: App): Send {
  const handle = toWebHandler(app)
  return async (path, init) => handle(new Request(`http://localhost${path}`, init))
}

export const SERVERS: readonly [name: string, serve: (app: App) => Send][] = [
  ["Node's server", onNode],
  ['a platform without it', onTheWeb],
]
