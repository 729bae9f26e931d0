// What is used of React Router's types. An application in conformance/ is compiled against the real ones.

/** What loaders, actions and middleware are given. */
export interface RouteArgs {
  readonly request: Request
  /** Where the visitor is or wants to go, without what React Router adds to addresses. */
  readonly url: URL
  /** The route that was matched, as the application writes it: without a slash in front, or `/` for the index. */
  readonly pattern?: string | undefined
  /** One and the same object for as long as a request lasts. */
  readonly context: object
}

/** A loader or an action that answers by itself. */
export type RouteHandler = (args: RouteArgs) => Promise<Response>

/** A `middleware` of a route, on the server. */
export type RouteMiddleware = (args: RouteArgs, next: () => Promise<Response>) => Promise<Response>
