/** Whether a function was called as a route handler: those get the parameters of their path, proxies an event. */
export function isRoute(context: unknown): boolean {
  return typeof context === 'object' && context !== null && 'params' in context
}

/** For what is called in a page or a route without being given its parameters. */
export const BEHIND = { params: {} }
