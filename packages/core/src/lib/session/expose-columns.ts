/**
 * Adds to what is seen of a user what the application has named in `session.expose`.
 *
 * @param source the row of the user, or the claims of the token
 */
export function addExposed(
  user: object,
  names: readonly string[] | undefined,
  source: object,
): void {
  for (const name of names ?? []) {
    if (name in user) continue
    const value: unknown = Reflect.get(source, name)
    // What is not there is left out, and a method is nothing to show.
    if (value !== undefined && typeof value !== 'function') Reflect.set(user, name, value)
  }
}
