import type { MiddlewareArgs } from '../src/lib/request-middleware.ts'

/** What TanStack Start tells request middleware: it decodes the path, and looks at how it begins. */
export function dispatched({
  url,
}: Request): Pick<MiddlewareArgs<never>, 'pathname' | 'handlerType'> {
  const { origin, pathname: sent } = new URL(url)
  const { pathname } = new URL(decodeURI(sent), origin)
  return { pathname, handlerType: pathname.startsWith('/_serverFn/') ? 'serverFn' : 'router' }
}
