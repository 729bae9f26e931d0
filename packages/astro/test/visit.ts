import type { AstroAuth, AstroContext } from '@siteauth/astro'

type Context = AstroContext & { readonly locals: App.Locals }

interface Visited
  extends Pick<RequestInit, 'method' | 'headers'>,
    Partial<Omit<AstroContext, 'request'>> {}

/** A context as Astro makes one for a request. */
export function contextOf(
  path: string,
  { method = 'GET', headers = {}, ...given }: Visited = {},
): Context {
  return {
    request: new Request(`http://localhost${path}`, { method, headers }),
    clientAddress: '203.0.113.1',
    isPrerendered: false,
    routePattern: path,
    ...given,
    locals: {} as App.Locals, // the middleware puts on it what there is to be
  }
}

/** Sends a request through the middleware, to a page that does something. */
export function visit(
  auth: Pick<AstroAuth, 'onRequest'>,
  context: Context,
  page: (context: Context) => Response | Promise<Response> = () => new Response('page'),
): Promise<Response> {
  return auth.onRequest(context, async () => page(context))
}
