import { type AuthConfig, type AuthInstance, createAuth } from '@siteauth/core'
import type { LoggerInstance } from '@siteauth/core/types'

/** A secret of good length, for tests. */
export const SECRET = 'a test secret that is long enough!'

/** Everything that was reported to a logger. */
export interface Recorded {
  readonly logger: LoggerInstance
  readonly errors: Error[]
  readonly warnings: string[]
  readonly debugs: unknown[][]
}

/** A logger that keeps what it is told. */
export function recordingLogger(): Recorded {
  const errors: Error[] = []
  const warnings: string[] = []
  const debugs: unknown[][] = []
  const logger: LoggerInstance = {
    error: error => void errors.push(error),
    warn: code => void warnings.push(code),
    debug: (...message) => void debugs.push(message),
  }
  return { logger, errors, warnings, debugs }
}

/** The library with a secret, a silent logger and an empty environment. */
export function createTestAuth(
  config: Partial<AuthConfig>,
  env: Readonly<Record<string, string>> = {},
): AuthInstance & Recorded {
  const recorded = recordingLogger()
  const auth = createAuth(
    { secret: SECRET, logger: recorded.logger, providers: [], ...config },
    { env },
  )
  return { ...auth, ...recorded }
}

/** What an application is warned of. It is, when one of its endpoints is first called. */
export async function warningsOf({
  handle,
  warnings,
}: Pick<AuthInstance, 'handle'> & Pick<Recorded, 'warnings'>): Promise<readonly string[]> {
  await handle(new Request('https://app.example.com/auth/csrf'))
  return warnings
}

/** A browser, as far as this library is concerned: it keeps cookies and sends forms. */
export class Visitor {
  readonly #answer: (request: Request) => Promise<Response>
  readonly #base: string
  readonly cookies = new Map<string, string>()

  constructor(
    answer: (request: Request) => Promise<Response>,
    base = 'https://app.example.com/auth',
  ) {
    this.#answer = answer
    this.#base = base
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, { headers })
  }

  /** Sends a form with a fresh CSRF token. */
  async post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const csrfToken = await this.csrfToken()
    return this.send(path, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ csrfToken, ...fields }),
    })
  }

  /** Opens a link from an email as a person does: the page, then its button. */
  async openLink(link: URL): Promise<Response> {
    await this.send(link.href)
    return this.confirmLink(link)
  }

  /** Presses the button of that page. */
  confirmLink({ origin, pathname, searchParams }: URL): Promise<Response> {
    return this.post(origin + pathname, Object.fromEntries(searchParams))
  }

  async postJson(path: string, body: Record<string, unknown> = {}): Promise<Response> {
    const csrfToken = await this.csrfToken()
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ csrfToken, ...body }),
    })
  }

  async csrfToken(): Promise<string> {
    const { csrfToken } = (await (await this.get('/csrf')).json()) as { csrfToken: string }
    return csrfToken
  }

  async session(): Promise<unknown> {
    return (await this.get('/session')).json()
  }

  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader())
    const url = path.startsWith('http') ? path : this.#base + path
    const response = await this.#answer(new Request(url, { ...init, headers }))
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    if (attributes.some(each => each.toLowerCase() === 'max-age=0')) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}

/** Gives the session of a browser a new token, as an application does on its server. Answers the session. */
export async function rotate(
  auth: Pick<AuthInstance, 'rotate'>,
  visitor: Visitor,
): Promise<unknown> {
  const headers = { cookie: visitor.cookieHeader() }
  const { session, setCookies } = await auth.rotate({ headers, url: 'https://app.example.com/' })
  for (const line of setCookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    visitor.cookies.set(name, value)
  }
  return session
}
