import { InvalidRequest, type UntrustedHost, untrustedHost } from '../base/errors.ts'
import { parseCookies } from './cookie-text.ts'
import { type HostTrust, resolveOrigin } from './origin.ts'
import type { Fields, ParsedRequest, SentHeaders, SentRequest } from './request.ts'
import { isWellFormed } from './well-formed.ts'

/** A request that cannot be answered as it is. */
export interface Rejection {
  readonly problem: InvalidRequest | UntrustedHost
  readonly status: 400 | 413
}

/** The largest body that is read, in bytes. The largest honest one is a passkey's, some 10 kB. */
const BODY_LIMIT = 256 * 1024

/** How deep the JSON of a body may be nested. People's input is not, an attacker's is. */
const DEPTH_LIMIT = 64

/**
 * Parses a request whose method is known to be GET or POST.
 *
 * @param seen its URL, where it was parsed before
 */
export async function parseRequest(
  request: SentRequest,
  configuredOrigin: string | undefined,
  trustHost: HostTrust,
  seen: URL = new URL(request.url),
): Promise<ParsedRequest | Rejection> {
  const { headers } = request
  const { origin, untrusted } = resolveOrigin(configuredOrigin, trustHost, {
    header: name => headers.get(name),
    protocol: seen.protocol,
    host: seen.host,
    sender: request.sender,
  })
  if (origin === undefined) return { status: 400, problem: untrustedHost(untrusted) }
  const read = request.method === 'POST' ? await readBody(request) : noBody
  if (isRejection(read)) return read
  // Not relative to the origin: a path that starts with two slashes would name another host.
  const href = origin + seen.pathname + seen.search
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    origin,
    url: seen.href === href ? seen : new URL(href),
    query: seen.search === '' ? noQuery : fieldsOf(seen.searchParams),
    ...read,
    headers,
    cookies: parseCookies(headers.get('cookie')),
    sender: request.sender,
  }
}

/** Whether parsing ended in a refusal. */
export function isRejection(value: object): value is Rejection {
  return 'problem' in value && value.problem instanceof Error
}

type Body = Pick<ParsedRequest, 'body' | 'form'>

// It keeps nothing from one text to the next.
const decoder = /* @__PURE__ */ new TextDecoder()

const noQuery: ParsedRequest['query'] = Object.freeze(Object.create(null))
const noFields: Fields = noQuery
const noBody: Body = { body: noFields, form: new URLSearchParams() }

async function readBody(request: SentRequest): Promise<Body | Rejection> {
  if (!request.body) return noBody
  if (request.bodyUsed) {
    return malformed('The body was read before the request reached the library. Pass on a clone.')
  }
  let bytes: Uint8Array<ArrayBuffer> | null
  try {
    bytes = await bytesOf(request.body)
  } catch (error) {
    return malformed('The body could not be read to the end.', error)
  }
  if (bytes === null) {
    const problem = new InvalidRequest(`The body is larger than ${BODY_LIMIT} bytes.`)
    return { status: 413, problem }
  }
  const type = request.headers.get('content-type')?.toLowerCase() ?? ''
  try {
    if (type.includes('application/json')) {
      const body = parseJson(decoder.decode(bytes))
      return isRejection(body) ? body : { ...noBody, body }
    }
    if (type.includes('application/x-www-form-urlencoded')) {
      const form = new URLSearchParams(decoder.decode(bytes))
      return { body: fieldsOf(form), form }
    }
    if (type.includes('multipart/form-data')) {
      const init = { headers: { 'content-type': request.headers.get('content-type') ?? '' } }
      return { ...noBody, body: fieldsOf(await new Response(bytes, init).formData()) }
    }
  } catch {
    // Without the cause: a parser's message quotes the body, and with it perhaps a password.
    return malformed('The body does not match its content type.')
  }
  return noBody
}

/** Null if there are too many. */
async function bytesOf(
  body: NonNullable<SentRequest['body']>,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!(body instanceof Uint8Array)) return readUpTo(body, BODY_LIMIT)
  return body.length > BODY_LIMIT ? null : body
}

async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    length += value.length
    if (length > limit) {
      // The rest is not needed, and neither is a failure to cancel it.
      discard(reader, limit).catch(() => {})
      return null
    }
    chunks.push(value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/**
 * Reads and forgets as much again, and cancels what is left then. Some servers close the connection where a body
 * is cancelled, and the answer would not arrive.
 */
async function discard(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<void> {
  for (let length = 0; length <= limit; ) {
    const { done, value } = await reader.read()
    if (done) return
    length += value.length
  }
  await reader.cancel()
}

function parseJson(text: string): Fields | Rejection {
  if (text === '') return noFields
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return malformed('The body must be a JSON object.')
  }
  if (isDeeper(value, DEPTH_LIMIT)) {
    return malformed(`The body is nested more than ${DEPTH_LIMIT} levels deep.`)
  }
  if (!isWellFormed(value)) return malformed('The body contains half of a surrogate pair.')
  // Without a prototype, so that no field can be mistaken for one that the visitor sent.
  return Object.assign(Object.create(null), value)
}

/** Writing such a value as JSON again, in our code or the application's, would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(each => isDeeper(each, levels - 1))
}

function fieldsOf(entries: Iterable<[string, string | File]>): Readonly<Record<string, string>> {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of entries) if (typeof value === 'string') fields[name] = value
  return fields
}

function malformed(message: string, cause?: unknown): Rejection {
  return {
    status: 400,
    problem: new InvalidRequest(message, cause === undefined ? cause : { cause }),
  }
}

/** Headers by which browsers say so. */
const PREFETCH_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']
/** Those of Next's router. Some prefetches only have the last one, and they do not want a page of ours. */
const SENT = ['next-router-prefetch', 'next-router-segment-prefetch', 'rsc']

/**
 * The status that rejects a page that is fetched before anyone wants it; undefined if someone does. The client then
 * requests it again when it is wanted: a browser after a failure, and Next's router after anything that it cannot
 * use. For a failure it would have the browser complain on the console.
 */
export function prefetchStatus(headers: SentHeaders): 200 | 503 | undefined {
  if (SENT.some(name => headers.has(name))) return 200
  const isPrefetch = PREFETCH_HEADERS.some(name =>
    /^(?:prefetch|preview)\b/.test(headers.get(name) ?? ''),
  )
  return isPrefetch ? 503 : undefined
}
