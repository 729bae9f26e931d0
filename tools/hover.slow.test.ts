import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './workspace.mjs'

// The comments of the calls are for editors. TypeScript drops those of members that are mapped, or taken by Omit and Pick, so
// the language server itself is asked.

/** How an application of each framework gets at its calls. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  client: client('@siteauth/client/sessions'),
  core: "import { createAuth } from '@siteauth/core'\nconst auth = createAuth({ providers: [] })",
  astro: siteAuth('@siteauth/astro'),
  express: siteAuth('@siteauth/express'),
  fastify: siteAuth('@siteauth/fastify'),
  hono: siteAuth('@siteauth/hono'),
  nestjs:
    "import type { SiteAuthService } from '@siteauth/nestjs'\ndeclare const auth: SiteAuthService",
  next: "import SiteAuth from '@siteauth/next'\nconst auth = SiteAuth({ providers: [] })",
  nuxt: siteAuth('@siteauth/nuxt/server'),
  react: client('@siteauth/react/sessions'),
  'react-router': siteAuth('@siteauth/react-router'),
  'solid-start': siteAuth('@siteauth/solid-start'),
  sveltekit: siteAuth('@siteauth/sveltekit'),
  'tanstack-start': siteAuth('@siteauth/tanstack-start'),
}

function siteAuth(name: string): string {
  return `import { SiteAuth } from '${name}'\nconst auth = SiteAuth({ providers: [] })`
}

/** A page has the same calls, without a context. */
function client(entry: string): string {
  return `import * as client from '${entry}'\nconst auth = client`
}

const server = startServer()

beforeAll(async () => {
  const rootUri = pathToFileURL(ROOT).href
  await server.request('initialize', { processId: null, rootUri, capabilities: {} })
  server.notify('initialized', {})
}, 60_000)
afterAll(() => server.stop())

it.each(Object.keys(FRAMEWORKS))('an editor shows the comment of a call in %s', async name => {
  const folder = name === 'core' ? 'core' : name
  const text = `${FRAMEWORKS[name]}\nauth.sessions.endOthers\n`
  const uri = pathToFileURL(join(ROOT, 'packages', folder, 'test/hovered.ts')).href
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text },
  })
  const position = { line: 2, character: 'auth.sessions.e'.length }
  const hover = await server.request('textDocument/hover', { textDocument: { uri }, position })
  expect(JSON.stringify(hover)).toContain(
    "Ends all of the visitor's sessions except the current one",
  )
})

/** Starts TypeScript's language server, which speaks JSON-RPC over its standard streams. */
function startServer() {
  const child: ChildProcessWithoutNullStreams = spawn(
    process.execPath,
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '--lsp', '--stdio'],
    { cwd: ROOT },
  )
  const waiting = new Map<number, (result: unknown) => void>()
  let received = Buffer.alloc(0)
  let latest = 0

  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let message = take(); message; message = take()) answer(message)
  })

  function take(): Message | undefined {
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) return undefined
    const length = Number(/content-length: *(\d+)/i.exec(received.toString('latin1', 0, end))?.[1])
    if (received.length < end + 4 + length) return undefined
    const text = received.toString('utf8', end + 4, end + 4 + length)
    received = received.subarray(end + 4 + length)
    return JSON.parse(text)
  }

  function answer({ id, method, result }: Message): void {
    if (id === undefined) return
    if (method === undefined) {
      waiting.get(id)?.(result)
      waiting.delete(id)
    } else {
      // The server asks about the editor as well, such as for its settings.
      send({ id, result: null })
    }
  }

  function send(message: Message): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  return {
    notify: (method: string, params: unknown) => send({ method, params }),
    request(method: string, params: unknown): Promise<unknown> {
      latest++
      send({ id: latest, method, params })
      return new Promise(resolve => waiting.set(latest, resolve))
    },
    stop: () => child.kill(),
  }
}

/** A message of JSON-RPC: a request, a notification or a response. */
interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
}
