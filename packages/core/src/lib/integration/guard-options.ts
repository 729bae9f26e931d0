/**
 * Throws unless an argument of `requireSession` has known members alone. An option that nothing reads would let everyone
 * pass, and so would middleware that is called in a handler, with the request.
 */
export function assertGuardOptions(options: object, names: readonly string[]): void {
  const unknown = Object.keys(options).find(name => !names.includes(name))
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(options))
  if (unknown === undefined && isPlain) return
  if (unknown === 'except') throw new TypeError(EXCEPT_IN_CALL)
  throw new TypeError(
    `requireSession takes options with ${names.join(', ')}, and was given ${unknown ?? 'something else'}. Where it is ` +
      'middleware, add it in front of the handler, rather than call it there.',
  )
}

const EXCEPT_IN_CALL =
  'The option except is for the middleware form of requireSession. A guard that is called in a route exempts nothing: ' +
  'do not call it in the routes that everybody may see.'
