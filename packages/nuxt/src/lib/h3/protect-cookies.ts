import type { ServerResponse } from 'node:http'

/**
 * Sets cookies that stay, whatever headers are set afterwards: h3 replaces those of others where it passes on the answer
 * of another server. Not when headers are written, since what stands in for Node's responses, for requests of the server
 * to itself and on other platforms, may never do that.
 */
export function protectCookies(res: ServerResponse, lines: readonly string[]): void {
  const earlier = pendingCookies.get(res)
  const others = cookiesOf(res.getHeader(NAME))
  pendingCookies.set(res, [...(earlier ?? []), ...lines])
  if (!earlier) watch(res)
  res.setHeader(NAME, others)
}

const NAME = 'set-cookie'
const pendingCookies = new WeakMap<ServerResponse, readonly string[]>()

function watch(res: ServerResponse): void {
  const { setHeader, appendHeader, removeHeader } = res
  const set = (lines: readonly string[]) => {
    const ours = pendingCookies.get(res) ?? []
    const others = lines.filter(line => !ours.includes(line))
    return setHeader.call(res, NAME, [...others, ...ours])
  }
  res.setHeader = (name, value) =>
    isCookies(name) ? set(cookiesOf(value)) : setHeader.call(res, name, value)
  res.appendHeader = (name, value) =>
    isCookies(name)
      ? set([...cookiesOf(res.getHeader(name)), ...cookiesOf(value)])
      : appendHeader.call(res, name, value)
  res.removeHeader = name => {
    if (isCookies(name)) set([])
    else removeHeader.call(res, name)
  }
}

function isCookies(name: string): boolean {
  return name.toLowerCase() === NAME
}

function cookiesOf(value: number | string | readonly string[] | undefined): readonly string[] {
  return [value ?? []].flat().map(String)
}
