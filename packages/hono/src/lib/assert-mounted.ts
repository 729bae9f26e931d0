import type { Context } from 'hono'
import { routePath } from 'hono/route'

/** Throws where the handler is mounted at a path that no request to the endpoints can have. */
export function assertMounted(c: Context, basePath: string): void {
  const mount = routePath(c).replace(/\/?\*$/, '')
  // Parameters and patterns may stand for anything.
  const isPlain = /^[\w/.~-]*$/.test(mount)
  if (!isPlain || isBelow(basePath, mount) || isBelow(mount, basePath)) return
  throw new TypeError(
    `auth.handler is mounted at "${routePath(c)}", and the endpoints are at "${basePath}". Mount it for all paths, ` +
      `app.use(auth.handler), or set basePath: '${mount}' in the configuration.`,
  )
}

function isBelow(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`)
}
