// What is used of TanStack Start's types. An application in conformance/ is compiled against the real ones.

/** What comes back from the rest of the application. */
export interface Answered {
  readonly response: Response
}

/** A request, and how to let the rest of the application answer it. */
export interface MiddlewareArgs<Result extends Answered> {
  readonly request: Request
  /** The path that the router matches. */
  readonly pathname?: string | undefined
  /** Whether the router answers, or a server function. */
  readonly handlerType?: string | undefined
  readonly next: () => Result | Promise<Result>
}

/** Middleware for requests, to be handed to `createMiddleware().server()`. */
export type RequestMiddleware = <Result extends Answered>(
  args: MiddlewareArgs<Result>,
) => Promise<Result | Response>
