import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './workspace.mjs'

// The comments of the calls are for editors. TypeScript drops those of members that are mapped, or taken by Omit and Pick, so
// the language server itself is asked.

/** How an application of each framework gets at its calls, under a name. */
const FRAMEWORKS: Readonly<Record<string, (auth: string) => string>> = {
  client: client('@siteauth/client/sessions'),
  core: made('createAuth', '@siteauth/core'),
  astro: made('SiteAuth', '@siteauth/astro'),
  express: made('SiteAuth', '@siteauth/express'),
  fastify: made('SiteAuth', '@siteauth/fastify'),
  hono: made('SiteAuth', '@siteauth/hono'),
  nestjs: auth =>
    `import type { SiteAuthService } from '@siteauth/nestjs'\ndeclare const ${auth}: SiteAuthService`,
  next: made('default', '@siteauth/next'),
  nuxt: made('SiteAuth', '@siteauth/nuxt/server'),
  react: client('@siteauth/react/sessions'),
  'react-router': made('SiteAuth', '@siteauth/react-router'),
  'solid-start': made('SiteAuth', '@siteauth/solid-start'),
  sveltekit: made('SiteAuth', '@siteauth/sveltekit'),
  'tanstack-start': made('SiteAuth', '@siteauth/tanstack-start'),
}

function made(make: string, from: string) {
  return (auth: string) =>
    `import { ${make} as ${auth}By } from '${from}'\nconst ${auth} = ${auth}By({ providers: [] })`
}

/** A page has the same calls, without a context. */
function client(entry: string) {
  return (auth: string) => `import * as ${auth} from '${entry}'`
}

// One file for all: the server compiles everything again for each file that is opened.
const blocks = Object.values(FRAMEWORKS).map((write, index) => write(`auth${index}`))
const calls = blocks.map((_, index) => `auth${index}.sessions.endOthers`)
const lines = [...blocks, ...calls].join('\n').split('\n')
const uri = pathToFileURL(join(ROOT, 'packages/core/test/hovered.ts')).href

const server = startServer()

beforeAll(async () => {
  const rootUri = pathToFileURL(ROOT).href
  await server.request('initialize', { processId: null, rootUri, capabilities: {} })
  server.notify('initialized', {})
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text: `${lines.join('\n')}\n` },
  })
}, 60_000)
afterAll(() => server.stop())

it.each(Object.keys(FRAMEWORKS))('an editor shows the comment of a call in %s', async name => {
  const call = calls[Object.keys(FRAMEWORKS).indexOf(name)] ?? ''
  const position = { line: lines.indexOf(call), character: call.indexOf('endOthers') + 1 }
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
