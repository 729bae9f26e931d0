// What is used of frameworks that are not installed here. Applications see the real types, and the applications in
// conformance are compiled with them.

declare module '@tanstack/react-start' {
  type Middleware = (options: { readonly request: Request; next(): Promise<unknown> }) => unknown

  export function createMiddleware(): { server(middleware: unknown): Middleware }
  export function createStart<
    Options extends { readonly requestMiddleware: readonly Middleware[] },
  >(options: () => Options): Options
}

declare module '@solidjs/start/middleware' {
  export function createMiddleware<Middleware extends { readonly onRequest?: unknown }>(
    middleware: Middleware,
  ): Middleware
}
