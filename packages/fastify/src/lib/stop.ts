/**
 * The result of a hook that has answered a request: a promise that never resolves, so that nothing runs after it. With the reply,
 * Fastify would go on to the handler as soon as the visitor hangs up, if another hook still works on the response.
 */
export function stop(): Promise<never> {
  return new Promise(() => {})
}
