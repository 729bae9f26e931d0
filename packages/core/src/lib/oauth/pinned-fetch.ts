import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { ReadableStream as NodeStream } from 'node:stream/web'
import { isPrivateAddress } from './private-host.ts'

/**
 * A `fetch` that resolves a name, and connects to the public addresses that were found and to no other. Null if requests leave
 * this process in another way: through a proxy, which resolves names itself, or by a `fetch` that is not Node's.
 */
export function pinnedFetch(): typeof fetch | null {
  if (!canPin()) return null
  shared ??= createPinnedFetch(isPrivateAddress)
  return shared
}

let shared: typeof fetch | undefined

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY']

function canPin(): boolean {
  const { process } = globalThis
  if (process?.release?.name !== 'node' || process.versions['bun'] || 'Deno' in globalThis)
    return false
  const { env } = process
  const hasProxy = PROXIES.some(name => env[name] || env[name.toLowerCase()])
  return !hasProxy && isNodesFetch() && !hasOwnDispatcher()
}

/** Whether `fetch` is Node's own, or Next's, which calls it. */
function isNodesFetch(): boolean {
  const current = globalThis.fetch as typeof fetch & { readonly _nextOriginalFetch?: typeof fetch }
  const { _nextOriginalFetch: original = current } = current
  return /undici/.test(Function.prototype.toString.call(original))
}

/** Whether the application has set how `fetch` connects, such as by the proxy of a company. */
function hasOwnDispatcher(): boolean {
  const dispatcher: unknown = Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'))
  return dispatcher !== undefined && Object(dispatcher).constructor?.name !== 'Agent'
}

/** @param isPrivate which addresses are never connected to */
export function createPinnedFetch(isPrivate: (address: string) => boolean): typeof fetch {
  const { http, https } = nodeModules()
  const settings = { keepAlive: true, lookup: publicLookup(isPrivate) }
  // Agents of their own: those that others use have connections to addresses that were not looked at.
  const agents = { http: new http.Agent(settings), https: new https.Agent(settings) }

  return async (input, init) => {
    const request = new Request(input, init)
    const { method, url, signal } = request
    const body = new Uint8Array(await request.arrayBuffer())
    const headers = { ...Object.fromEntries(request.headers), 'accept-encoding': 'identity' }
    const isHttps = url.startsWith('https:')
    const { request: send } = isHttps ? https : http
    const agent = isHttps ? agents.https : agents.http
    return new Promise((resolve, reject) => {
      const sent = send(url, { method, headers, agent, signal }, message =>
        resolve(toResponse(message)),
      )
      sent.on('error', reject)
      sent.end(body)
    })
  }
}

/** Requested from the runtime and not imported, so that bundlers for other runtimes leave them alone. */
function nodeModules() {
  const { getBuiltinModule } = globalThis.process
  return {
    http: getBuiltinModule('node:http'),
    https: getBuiltinModule('node:https'),
    dns: getBuiltinModule('node:dns'),
    stream: getBuiltinModule('node:stream'),
  }
}

function publicLookup(isPrivate: (address: string) => boolean): LookupFunction {
  const { dns } = nodeModules()
  return (name, options, done) => {
    dns.lookup(name, { ...options, all: true }, (error, found) => {
      const addresses = error ? [] : found.filter(({ address }) => !isPrivate(address))
      const [first] = addresses
      if (!first) done(error ?? new Error(`${name} ${RESOLVES_TO_PRIVATE}`), [])
      else if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
  }
}

const RESOLVES_TO_PRIVATE =
  'resolves to an address of a private network only, which a public server may not be at. If that is right, give ' +
  'the provider a customFetch'

/** Statuses without a body: a `Response` takes none for them. */
const EMPTY: readonly number[] = [204, 205, 304]

function toResponse(message: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = message
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  }
  if (EMPTY.includes(status)) {
    message.resume()
    return new Response(null, { status, statusText, headers })
  }
  const stream = nodeModules().stream.Readable.toWeb(message)
  return new Response(decoded(stream, headers), { status, statusText, headers })
}

/** Some servers compress whatever was asked for. */
function decoded(stream: NodeStream, headers: Headers): ReadableStream {
  // Sound: Node's type of the same class.
  const body = stream as unknown as ReadableStream<Uint8Array<ArrayBuffer>>
  const encoding = headers.get('content-encoding')
  if (encoding !== 'gzip' && encoding !== 'deflate') return body
  return body.pipeThrough(new DecompressionStream(encoding))
}
