/** The requests that a guard in front of an application lets through without a session. */
export interface Exemptions {
  /**
   * Whether a request is one of them.
   *
   * @param name the route or path that the framework dispatches the request to; undefined if it is a function call, or not
   * known
   */
  covers(method: string | undefined, name: string | undefined): boolean
}

/** The kind of names that entries of `except` are, which depends on the framework. */
export type ExceptNames = 'paths' | 'routes'

/**
 * Reads the option `except`. Entries are compared byte for byte: `/login` is for GET and HEAD, `POST /login` for a form
 * that is sent there.
 */
export function readExemptions(
  except: readonly string[] | undefined,
  names: ExceptNames,
): Exemptions {
  // A text is a list of letters to a loop.
  if (except !== undefined && !Array.isArray(except)) throw new TypeError(NOT_A_LIST)
  const reads = new Set<string>()
  const posts = new Set<string>()
  for (const entry of except ?? []) {
    const isPost = typeof entry === 'string' && entry.startsWith(POST)
    const name = isPost ? entry.slice(POST.length) : entry
    assertName(entry, name, names)
    if (isPost) posts.add(name)
    else reads.add(name)
  }
  return {
    covers(method, name) {
      if (name === undefined) return false
      if (method === 'POST') return posts.has(name)
      return (method === 'GET' || method === 'HEAD') && reads.has(name)
    },
  }
}

const POST = 'POST '

const NOT_A_LIST = 'The option except of requireSession takes a list, such as ["/login"].'

function assertName(entry: unknown, name: unknown, names: ExceptNames): void {
  const form = names === 'paths' ? /^\/[^\s*?#]*$/ : /^\S+$/
  if (typeof name === 'string' && form.test(name)) return
  const expected =
    names === 'paths'
      ? 'single paths, such as "/login", or "POST /login" for its form. Patterns, queries and fragments never match'
      : 'routes as the framework writes them, such as "/login", or "POST /login" for its form'
  throw new TypeError(
    `The option except of requireSession takes ${expected}: ${JSON.stringify(entry)}.`,
  )
}
