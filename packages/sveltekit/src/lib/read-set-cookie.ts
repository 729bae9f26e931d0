import type { CookieOptions } from '@sveltejs/kit'

/** A cookie in the words of SvelteKit. */
export interface KitCookie {
  readonly name: string
  readonly value: string
  readonly options: CookieOptions & { path: string }
}

/** Reads a line for `Set-Cookie`, one of the library's own. */
export function readSetCookie(line: string): KitCookie {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  const values = new Map(attributes.map(part => splitAttribute(part)))
  const maxAge = values.get('max-age')
  const expires = values.get('expires')
  const domain = values.get('domain')
  // As the library writes it: one of the three.
  const sameSite = values.get('samesite')?.toLowerCase() as CookieOptions['sameSite']
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    options: {
      path: values.get('path') ?? '/',
      httpOnly: values.has('httponly'),
      secure: values.has('secure'),
      // It is encoded already.
      encode: value => value,
      ...(sameSite && { sameSite }),
      ...(domain && { domain }),
      ...(maxAge && { maxAge: Number(maxAge) }),
      ...(expires && { expires: new Date(expires) }),
      ...(values.has('partitioned') && { partitioned: true }),
    },
  }
}

function splitAttribute(part: string): [name: string, value: string] {
  const [name = '', ...value] = part.split('=')
  return [name.toLowerCase(), value.join('=')]
}
