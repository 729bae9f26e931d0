/**
 * Adds the members that the application has named in `session.expose` to the visible user.
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
    // Missing members are left out, and methods are not shown.
    if (value !== undefined && typeof value !== 'function') Reflect.set(user, name, value)
  }
}
