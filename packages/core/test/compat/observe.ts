import { createHash } from 'node:crypto'
import type { AuthConfig } from '@siteauth/core'
import type { LoggerInstance, ResponseInternal } from '@siteauth/core/types'
import { NOW, OLD_SECRET, SECRET } from './fixtures.ts'
import { theirs } from './libraries.ts'

/** What was seen, by field. All of it is text, so that it can be compared and printed. */
export type Observation = Readonly<Record<string, string | undefined>>

/** Keeps what a library calls and reports. */
export interface Recorder {
  readonly logger: LoggerInstance
  /** Listeners for all events. */
  events(): NonNullable<AuthConfig['events']>
  /** A function that does what the given one does, and keeps its arguments. */
  spy<Args extends unknown[], Result>(
    name: string,
    run: (...args: Args) => Result,
  ): (...args: Args) => Result
  observation(): Observation
}

interface Call {
  readonly name: string
  /** Written down at once: what was given may be changed later. */
  readonly args: readonly { readonly kind: string; readonly text: string }[]
}

export function startRecording(): Recorder {
  const calls: Call[] = []
  const errors: string[] = []
  const warnings: string[] = []

  function spy<Args extends unknown[], Result>(
    name: string,
    run: (...args: Args) => Result,
  ): (...args: Args) => Result {
    return (...args) => {
      calls.push({ name, args: args.map(describeArgument) })
      return run(...args)
    }
  }

  const names = [
    'signIn',
    'signOut',
    'createUser',
    'updateUser',
    'linkAccount',
    'emailClaimed',
    'session',
  ] as const
  return {
    logger: {
      error: error => void errors.push(nameOf(error)),
      warn: code => void warnings.push(code),
      debug: () => {},
    },
    spy,
    events: () => Object.fromEntries(names.map(name => [name, spy(`events.${name}`, () => {})])),
    observation: () => ({
      ...(calls.length > 0 && { calls: calls.map(each => each.name).join(', ') }),
      ...argumentsOf(calls),
      ...(errors.length > 0 && { errors: errors.join(', ') }),
      ...(warnings.length > 0 && { warnings: warnings.join(', ') }),
    }),
  }
}

function describeArgument(value: unknown): Call['args'][number] {
  return { kind: value instanceof Request ? 'request' : 'arguments', text: show(value) }
}

function argumentsOf(calls: readonly Call[]): Observation {
  const seen: Record<string, string> = {}
  for (const { name, args } of calls) {
    for (const { kind, text } of args) {
      const key = `${kind} of ${name}`
      seen[key] = key in seen ? `${seen[key]}\n${text}` : text
    }
  }
  return seen
}

/** What came of something: a value, or what was thrown. */
export type Outcome = { readonly value: unknown } | { readonly thrown: unknown }

export async function attempt(run: () => unknown): Promise<Outcome> {
  try {
    return { value: await run() }
  } catch (thrown) {
    return { thrown }
  }
}

/** What is to be seen of the answer to a request. */
export async function observeResponse(outcome: Outcome, recorder: Recorder): Promise<Observation> {
  const seen = 'thrown' in outcome ? { thrown: nameOf(outcome.thrown) } : await read(outcome.value)
  return { ...seen, ...recorder.observation() }
}

/** What is to be seen of a value, or of something thrown. */
export function observeOutcome(outcome: Outcome): Observation {
  return 'thrown' in outcome ? { thrown: nameOf(outcome.thrown) } : { result: show(outcome.value) }
}

async function read(value: unknown): Promise<Observation> {
  if (value instanceof Response) {
    return {
      status: String(value.status),
      ...readHeaders(value.headers),
      ...(await readCookies(value.headers.getSetCookie().map(fromLine))),
      ...readBody(value.headers.get('content-type') ?? '', await value.text()),
    }
  }
  const { status, headers, redirect, cookies, body, ...rest } = value as ResponseInternal
  return {
    shape: 'data',
    ...readHeaders(new Headers(headers)),
    ...(status !== undefined && { status: String(status) }),
    ...(redirect !== undefined && { location: readLocation(redirect) }),
    ...(await readCookies((cookies ?? []).map(fromData))),
    ...(body !== undefined && { body: show(body) }),
    ...(Object.keys(rest).length > 0 && { rest: show(rest) }),
  }
}

const CACHING = ['cache-control', 'expires', 'pragma']
const READ_ELSEWHERE = ['set-cookie', 'location', 'content-type', ...CACHING]

function readHeaders(headers: Headers): Observation {
  const seen: Record<string, string> = {}
  for (const name of ['location', 'content-type']) {
    const value = headers.get(name)
    if (value !== null) seen[name] = name === 'location' ? readLocation(value) : normalise(value)
  }
  const caching = CACHING.flatMap(name => headers.get(name) ?? [])
  if (caching.length > 0) seen['caching'] = caching.join(' / ')
  for (const [name, value] of headers) {
    if (!READ_ELSEWHERE.includes(name)) seen[`header ${name}`] = normalise(value)
  }
  return seen
}

/** A URL, with the parameters of a request to a provider in order, and by kind where they are random. */
function readLocation(location: string): string {
  if (!URL.canParse(location)) return normalise(location)
  const url = new URL(location)
  if (!url.searchParams.has('response_type')) return normalise(location)
  const parameters = [...url.searchParams].map(([name, value]) => {
    const isRandom = ['state', 'nonce', 'code_challenge'].includes(name)
    return `${name}=${isRandom ? `<${value.length} characters>` : value}`
  })
  return `${url.origin}${url.pathname}\n${parameters.sort().join('\n')}`
}

/** The cookies that are set, each under its name without prefix and without chunk number. */
async function readCookies(cookies: readonly SeenCookie[]): Promise<Observation> {
  const seen: Record<string, string> = {}
  const sorted = cookies
    .map(each => ({ ...each, name: withoutAttempt(each.name) }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const base of new Set(sorted.map(({ name }) => withoutChunk(name)))) {
    const group = sorted.filter(({ name }) => withoutChunk(name) === base)
    const whole = await kindOf(base, group.map(({ value }) => value).join(''))
    const lines = group.map(({ name, value, attributes }) => {
      const kind = name === base ? whole : `${value.length} characters of ${whole}`
      return `${name} = ${value === '' ? 'nothing' : kind}; ${attributes.join('; ')}`
    })
    seen[`cookie ${base.replace(/^__(Secure|Host)-/, '')}`] = lines.join('\n')
  }
  return seen
}

/** Each attempt to sign in has a cookie of its own, and one of few names. */
function withoutAttempt(name: string): string {
  return name.replace(/(?<=authjs\.state)\.[\w-]{12}$/, '.<attempt>')
}

function withoutChunk(name: string): string {
  return name.replace(/\.\d+$/, '')
}

interface SeenCookie {
  readonly name: string
  readonly value: string
  readonly attributes: readonly string[]
}

function fromLine(line: string): SeenCookie {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  return {
    name: pair.slice(0, at),
    value: decodeURIComponent(pair.slice(at + 1)),
    attributes: attributes
      .map(each => {
        const [name, value] = each.split('=')
        return name === 'Expires' && value ? `Expires=${relative(Date.parse(value))}` : each
      })
      .sort(),
  }
}

function fromData({
  name,
  value,
  options,
}: NonNullable<ResponseInternal['cookies']>[number]): SeenCookie {
  return {
    name,
    value,
    attributes: Object.entries(options)
      .map(([key, each]) => `${key}=${show(each)}`)
      .sort(),
  }
}

/** Says what a cookie's value is, where it is random: a token by its claims, and so on. */
async function kindOf(name: string, value: string): Promise<string> {
  if (name.endsWith('siteauth.changed')) return `${value.length} random characters`
  if (name.endsWith('siteauth.bound') && value !== '') return `a MAC of ${value.length} characters`
  const [token = '', hash] = value.split('|')
  if (hash !== undefined) {
    for (const secret of [SECRET, OLD_SECRET, `${SECRET},${OLD_SECRET}`]) {
      const expected = createHash('sha256')
        .update(token + secret)
        .digest('hex')
      const which = secret === SECRET ? 'the secret' : secret === OLD_SECRET ? 'the old' : 'both'
      if (hash === expected) return `CSRF token, hashed with ${which}`
    }
    return 'a broken CSRF token'
  }
  for (const secret of [SECRET, OLD_SECRET]) {
    try {
      const claims = await theirs.jwt.decode({ token: value, secret, salt: name })
      return `token by ${secret === SECRET ? 'the secret' : 'the old secret'} ${show(claims)}`
    } catch {}
  }
  return normalise(value)
}

function readBody(type: string, text: string): Observation {
  if (text === '') return {}
  if (type.startsWith('text/html')) return readPage(text)
  if (!type.startsWith('application/json')) return { body: normalise(text) }
  return { body: show(JSON.parse(text)) }
}

/** Of a page: its title, where its forms and links lead, what it asks for, and whether something went wrong. */
function readPage(html: string): Observation {
  const [, title] = /<title>(.*?)<\/title>/.exec(html) ?? []
  const [, theme] = /<body class="([^"]*)"/.exec(html) ?? []
  const [, root] = /<div class="page">.*?<div class="([a-z-]+)"/s.exec(html) ?? []
  const forms = [...html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)].map(
    ([, head = '', content = '']) => {
      const inputs = [...content.matchAll(/<input([^>]*)>/g)].map(([, tag = '']) => {
        const type = attribute(tag, 'type')
        const value = type === 'hidden' ? `=${attribute(tag, 'value')}` : ''
        return `${type} ${attribute(tag, 'name')}${value}`
      })
      return `to ${attribute(` ${head}`, 'action')} with ${inputs.join(', ')}`
    },
  )
  const links = [...html.matchAll(/<a ([^>]*)>/g)].map(([, tag]) => attribute(` ${tag}`, 'href'))
  const images = [...html.matchAll(/<img ([^>]*)>/g)].map(([, tag]) => attribute(` ${tag}`, 'src'))
  const refuses = root === 'signin' && /<div class="error"/.test(html)
  return {
    page: `${title}, ${root}, ${theme}`,
    ...(forms.length > 0 && { forms: forms.join('\n') }),
    ...(links.length > 0 && { links: links.join('\n') }),
    ...(images.length > 0 && { images: images.join('\n') }),
    ...(refuses && { 'shows an error': 'yes' }),
  }
}

function attribute(tag: string, name: string): string | undefined {
  const [, value] = new RegExp(` ${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? value : normalise(value.replaceAll('&amp;', '&'))
}

/** Writes a value as text, with what is random or depends on the time by a description. */
export function show(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return isTime(value) ? relative(value * 1000) : String(value)
  if (typeof value === 'string') return JSON.stringify(normalise(value))
  if (typeof value === 'function') return 'function'
  if (typeof value === 'symbol') return 'symbol'
  if (value instanceof Date) return `Date ${relative(value.getTime())}`
  if (value instanceof Error) return nameOf(value)
  if (value instanceof Request) {
    return `Request ${value.method} ${value.url} as ${value.headers.get('content-type')}`
  }
  if (value instanceof URL) return `URL ${value.href}`
  if (value instanceof Headers) return show(Object.fromEntries(value))
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`
  // The order of members means nothing.
  const members = Object.entries(value as object).map(([key, each]) => `${key}: ${show(each)}`)
  return `{ ${members.sort().join(', ')} }`
}

/** The type of an error of one of the libraries, or the name of any other. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return `no error but ${String(error)}`
  const { type } = error as { type?: unknown }
  return typeof type === 'string' ? type : error.name
}

function isTime(seconds: number): boolean {
  return Math.abs(seconds * 1000 - NOW) < 400 * 86_400_000
}

function relative(time: number): string {
  const seconds = Math.round((time - NOW) / 1000)
  return seconds === 0 ? 'now' : `now${seconds > 0 ? '+' : ''}${seconds}s`
}

function normalise(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, date => relative(Date.parse(date)))
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<derived uuid>')
    .replaceAll(/[0-9a-f]{64}\.[\w-]{22}(?![\w-])/g, '<signed token>')
    .replaceAll(/[0-9a-f]{64}/g, '<64 hex digits>')
    .replaceAll(/Read more at https:\S+/g, '<a link>')
    .replaceAll(/(.)\1{99,}/g, (run, letter) => `<${run.length} × ${letter}>`)
    .replaceAll(/'sha256-[\w+/=]+'/g, '<hash>')
    .replaceAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g, '<ID token>')
    .replaceAll(/eyJ[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, '<43 characters>')
}
