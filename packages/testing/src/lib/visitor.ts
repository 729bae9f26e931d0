/**
 * A browser, as far as the endpoints are concerned: it keeps cookies and sends forms. It follows no
 * redirects, so that a test sees each answer.
 *
 * @example
 * ```ts
 * import { createAuth } from '@siteauth/core'
 * import Credentials from '@siteauth/core/providers/credentials'
 * import { Visitor } from '@siteauth/testing'
 * import { expect, it } from 'vitest'
 *
 * const auth = createAuth({
 *   secret: crypto.randomUUID(),
 *   trustHost: true,
 *   providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: '1', name: String(name) }) })],
 * })
 *
 * it('signs in with a name', async () => {
 *   const visitor = new Visitor(auth.handle, 'http://localhost/auth')
 *   await visitor.post('/callback/credentials', { name: 'Ada' })
 *   expect(await visitor.session()).toMatchObject({ user: { name: 'Ada' } })
 * })
 * ```
 */
export class Visitor {
  readonly #answer: (request: Request) => Promise<Response>
  readonly #base: string
  /** Those that the visitor has, by name. */
  readonly cookies: Map<string, string> = new Map()

  /**
   * @param respond what answers requests: `handle` of an application, or a `fetch` that follows no redirects
   * @param base the URL of the endpoints
   */
  constructor(
    respond: (request: Request) => Promise<Response>,
    base = 'https://app.example.com/auth',
  ) {
    this.#answer = respond
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

  /** Sends JSON with a fresh CSRF token, as scripts on a page do. */
  async postJson(path: string, body: Record<string, unknown> = {}): Promise<Response> {
    const csrfToken = await this.csrfToken()
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ csrfToken, ...body }),
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

  async csrfToken(): Promise<string> {
    const { csrfToken } = (await (await this.get('/csrf')).json()) as { csrfToken: string }
    return csrfToken
  }

  /** What `GET session` answers. */
  async session(): Promise<unknown> {
    return (await this.get('/session')).json()
  }

  /** Sends a request with the visitor's cookies, to a path of the endpoints or to a URL, and keeps new ones. */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (this.cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader())
    const url = path.startsWith('http') ? path : this.#base + path
    const response = await this.#answer(new Request(url, { ...init, headers }))
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return response
  }

  /** Gives the visitor cookies, such as those of `signInAs`. */
  addCookies(cookies: readonly { readonly name: string; readonly value: string }[]): void {
    for (const { name, value } of cookies) this.cookies.set(name, value)
  }

  /** What the visitor sends as `Cookie`. */
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
