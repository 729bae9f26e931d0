import type { RequireSessionMiddlewareOptions } from './integration.ts'

/**
 * `requireSession` in a framework in which it is a call in a route and, if its first argument has `except`,
 * middleware in front of many routes. A call without its context is an error, rather than middleware that never runs.
 */
export function callOrMiddleware<
  Context extends object,
  Options extends { readonly except: NonNullable<RequireSessionMiddlewareOptions['except']> },
  Rest extends readonly unknown[],
  Called,
  Middleware,
>(
  call: (context: Context, ...rest: Rest) => Called,
  middleware: (options: Options) => Middleware,
): ((context: Context, ...rest: Rest) => Called) & ((options: Options) => Middleware) {
  function requireSession(first: Context | Options, ...rest: Rest): Called | Middleware {
    if (typeof first !== 'object' || first === null) throw new TypeError(NO_CONTEXT)
    return isOptions<Options>(first) ? middleware(first) : call(first, ...rest)
  }
  return requireSession as ((context: Context, ...rest: Rest) => Called) & // which of them is decided by the argument
    ((options: Options) => Middleware)
}

function isOptions<Options>(first: object): first is Options & object {
  return 'except' in first && Array.isArray(first.except)
}

const NO_CONTEXT =
  'requireSession was called without the request. Pass what the handler was given, or, for middleware in front of many ' +
  'routes, options with `except`.'
