/** A cookie, in the form that Playwright takes and `storageState` has. */
export interface TestCookie {
  name: string
  value: string
  domain: string
  path: string
  /** In seconds since 1970; -1 if the browser forgets it when it is closed. */
  expires: number
  httpOnly: boolean
  secure: boolean
  sameSite: 'Strict' | 'Lax' | 'None'
}

/** Reads a `Set-Cookie` header that came from a URL. */
export function readSetCookie(line: string, url: string): TestCookie {
  const [pair = '', ...rest] = line.split('; ')
  const attributes = new Map(rest.map(each => splitAt(each.toLowerCase())))
  const [name, value] = splitAt(pair)
  const domain = attributes.get('domain')
  const sameSite = attributes.get('samesite')
  return {
    name,
    value,
    // With a dot, it is for the hosts below as well.
    domain: domain ? `.${domain.replace(/^\./, '')}` : new URL(url).hostname,
    path: splitAt(rest.find(each => /^path=/i.test(each)) ?? '')[1] || '/',
    expires: expiryOf(attributes),
    httpOnly: attributes.has('httponly'),
    secure: attributes.has('secure'),
    sameSite: sameSite === 'strict' ? 'Strict' : sameSite === 'none' ? 'None' : 'Lax',
  }
}

function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const expires = attributes.get('expires')
  return expires === undefined ? -1 : Math.floor(Date.parse(expires) / 1000)
}

function splitAt(text: string): [name: string, value: string] {
  const at = text.indexOf('=')
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
