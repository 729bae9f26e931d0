import { connect } from 'node:net'

/** A request as it goes over the wire. HTTP clients would normalise the target, and refuse some hosts. */
export interface RawRequest {
  readonly method?: string | undefined
  /** The target, byte for byte. */
  readonly target: string
  /** By name. `Host` and `Connection` are added unless they are here. A list is sent as several headers, null as none. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>> | undefined
  readonly body?: string | undefined
}

/** The response, or a closed connection. */
export interface RawResponse {
  /** 0 if the server closed the connection without an answer. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const WITHIN_MS = 20_000

/** Sends a request over a socket of its own. */
export function sendRaw(origin: string, request: RawRequest): Promise<RawResponse> {
  const { hostname, port, host } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    socket.setTimeout(WITHIN_MS, () =>
      socket.destroy(new Error(`No answer to ${describe(request)}`)),
    )
    socket.on('data', chunk => chunks.push(chunk))
    // A server may reset the connection of a request that it has rejected.
    socket.on('error', error => (chunks.length > 0 || isReset(error) ? undefined : reject(error)))
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString('latin1'))))
    socket.write(Buffer.from(write(request, host), 'latin1'))
  })
}

/** Sends a request, and closes the connection while the answer may be on its way. */
export function hangUpOn(origin: string, request: RawRequest, afterMs: number): Promise<void> {
  const { hostname, port, host } = new URL(origin)
  return new Promise(resolve => {
    const socket = connect({ host: hostname, port: Number(port) })
    socket.on('error', () => {}) // the server may be the first to close it
    socket.on('close', () => resolve())
    socket.write(Buffer.from(write(request, host), 'latin1'))
    setTimeout(() => socket.destroy(), afterMs)
  })
}

/** A request in one line, for messages. */
export function describe({ method = 'GET', target, headers = {} }: RawRequest): string {
  const shown = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'cookie')
  return `${method} ${target}${shown.map(([name, value]) => `, ${name}: ${value}`).join('')}`
}

function write(
  { method = 'GET', target, headers = {}, body = '' }: RawRequest,
  host: string,
): string {
  const all: Record<string, string | readonly string[] | null> = { host, connection: 'close' }
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value
  if (body !== '' || method === 'POST')
    all['content-length'] = String(Buffer.byteLength(body, 'latin1'))
  const lines = Object.entries(all).flatMap(([name, value]) =>
    (value === null ? [] : [value].flat()).map(each => `${name}: ${each}`),
  )
  return `${[`${method} ${target} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n${body}`
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [first = '', ...lines] = (end === -1 ? text : text.slice(0, end)).split('\r\n')
  const headers = new Map(
    lines.map(line => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const sent = end === -1 ? '' : text.slice(end + 4)
  const isChunked = headers.get('transfer-encoding')?.toLowerCase() === 'chunked'
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0)
  return { status, headers, body: isChunked ? joinChunks(sent) : sent }
}

/** The body of a response that was sent in chunks: RFC 9112 §7.1. */
function joinChunks(sent: string): string {
  let body = ''
  for (let at = 0; ; ) {
    const end = sent.indexOf('\r\n', at)
    const length = Number.parseInt(sent.slice(at, end), 16)
    if (end === -1 || !(length > 0)) return body
    body += sent.slice(end + 2, end + 2 + length)
    at = end + 2 + length + 2
  }
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}
