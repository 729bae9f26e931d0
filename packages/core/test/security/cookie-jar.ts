import { Visitor } from '../visitor.ts'

interface KeptCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly isHostOnly: boolean
  readonly path: string
}

/**
 * The cookies of one browser, as RFC 6265bis has them: by name, domain and path, so that another host can set some that are
 * sent in front of those of the application.
 */
export class CookieJar {
  #kept: KeptCookie[] = []

  /** Keeps what a host sets, as far as a browser accepts it from that host. */
  keep(host: string, line: string): void {
    const [pair = '', ...rest] = line.split('; ')
    const attributes = new Map(
      rest.map(each => splitAt(each)).map(([n, v]) => [n.toLowerCase(), v]),
    )
    const [name, value] = splitAt(pair)
    const domain = attributes.get('domain')
    const path = attributes.get('path') ?? '/'
    const isSecure = attributes.has('secure')
    if (name.startsWith('__Host-') && (domain !== undefined || path !== '/' || !isSecure)) return
    if (name.startsWith('__Secure-') && !isSecure) return
    if (domain !== undefined && !isWithin(host, domain)) return
    const cookie = { name, value, domain: domain ?? host, isHostOnly: domain === undefined, path }
    const at = this.#kept.findIndex(each => isSame(each, cookie))
    const isRemoved = attributes.get('max-age') === '0'
    if (at === -1 && !isRemoved) this.#kept.push(cookie)
    if (at !== -1) this.#kept.splice(at, 1, ...(isRemoved ? [] : [cookie]))
  }

  /** The `Cookie` header of a request: cookies with longer paths come first, then those that were set first. */
  headerFor({ hostname, pathname }: URL): string {
    return this.#kept
      .filter(({ domain, isHostOnly, path }) => {
        const isForHost = isHostOnly ? domain === hostname : isWithin(hostname, domain)
        return isForHost && isForPath(pathname, path)
      })
      .sort((one, other) => other.path.length - one.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  }

  /** The values of a cookie that is sent with a request. */
  valuesAt(url: URL, name: string): readonly string[] {
    const pairs = this.headerFor(url).split('; ').map(splitAt)
    return pairs.filter(([each]) => each === name).map(([, value]) => value)
  }
}

/** A browser with such a jar. */
export function browserWith(
  jar: CookieJar,
  answer: (request: Request) => Promise<Response>,
): Visitor {
  return new Visitor(async request => {
    const url = new URL(request.url)
    const headers = new Headers(request.headers)
    headers.set('cookie', jar.headerFor(url))
    const response = await answer(new Request(request, { headers }))
    for (const line of response.headers.getSetCookie()) jar.keep(url.hostname, line)
    return response
  })
}

function isSame(one: KeptCookie, other: KeptCookie): boolean {
  return (['name', 'domain', 'isHostOnly', 'path'] as const).every(key => one[key] === other[key])
}

function isWithin(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

function isForPath(pathname: string, path: string): boolean {
  const isBelow = pathname.startsWith(path) && (path.endsWith('/') || pathname[path.length] === '/')
  return pathname === path || isBelow
}

function splitAt(text: string): [string, string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
