/** An answer, with what tests ask it. */
interface Seen {
  readonly response: Response
  readonly status: number
  readonly text: string
  readonly location: string | null
  /** What the application shows of the visitor: the content of `#who`, or JSON. */
  readonly who: unknown
  readonly setCookies: readonly string[]
}

/** A browser that keeps cookies, follows nothing and runs no scripts. */
export interface Visitor {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<Seen>
  post(path: string, body: BodyInit, headers?: Record<string, string>): Promise<Seen>
  /** Calls a function of the library in a route handler of the application. */
  act(call: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Sends a form of a page, as browsers do that run no scripts. */
  submit(
    path: string,
    fields: Record<string, string>,
    which?: number,
    headers?: Record<string, string>,
  ): Promise<Seen>
  signIn(name: string): Promise<void>
}

export function createVisitor(
  origin: string,
  prefix = '',
  sent: Record<string, string> = {},
): Visitor {
  const cookies = new Map<string, string>()

  async function send(path: string, init: RequestInit): Promise<Seen> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { ...sent, ...(cookie && { cookie }), ...(init.headers as object) }
    const response = await fetch(origin + path, { redirect: 'manual', ...init, headers })
    const setCookies = response.headers.getSetCookie()
    for (const line of setCookies) keep(line)
    const text = await response.text()
    const location = response.headers.get('location')
    return { response, status: response.status, text, location, who: whoIn(text), setCookies }
  }

  function keep(line: string): void {
    const [pair = ''] = line.split(';', 1)
    const [name = '', value = ''] = [
      pair.slice(0, pair.indexOf('=')),
      pair.slice(pair.indexOf('=') + 1),
    ]
    if (value === '' || /max-age=0(;|$)/i.test(line)) cookies.delete(name)
    else cookies.set(name, value)
  }

  const visitor: Visitor = {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { accept: 'text/html', ...headers } }),
    post: (path, body, headers = {}) => send(path, { method: 'POST', body, headers }),
    async act(call) {
      const headers = { 'content-type': 'application/json' }
      const { text, status } = await visitor.post(
        `${prefix}/api/act`,
        JSON.stringify(call),
        headers,
      )
      if (status !== 200) throw new Error(`${status} ${text}`)
      return JSON.parse(text)
    },
    async submit(path, fields, which = 0, headers = {}) {
      const { text } = await visitor.get(path)
      const form = text.split('<form')[which + 1]?.split('</form>')[0] ?? ''
      const body = new FormData()
      for (const [, tag = ''] of form.matchAll(/<input([^>]*)>/g)) {
        const name = /name="([^"]*)"/.exec(tag)?.[1]
        if (name) body.set(unescaped(name), unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? ''))
      }
      for (const [name, value] of Object.entries(fields)) body.set(name, value)
      return visitor.post(path, body, { origin, referer: origin + path, ...headers })
    },
    async signIn(name) {
      const { answer } = await visitor.act({
        do: 'attempt',
        provider: 'credentials',
        name,
        password: 'sesame',
      })
      if (!(answer as { ok?: boolean } | undefined)?.ok) throw new Error(`${name} is not let in`)
    },
  }
  return visitor
}

function whoIn(text: string): unknown {
  const shown = /<pre id="who">(.*?)<\/pre>/s.exec(text)?.[1]
  try {
    return JSON.parse(shown === undefined ? text : unescaped(shown))
  } catch {
    return undefined
  }
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')
}
