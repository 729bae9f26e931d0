/** The members that have a value. One that is given as undefined is one that is not given. */
export function definedMembers<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(
    Object.entries(value ?? {}).filter(([, each]) => each !== undefined),
  ) as Partial<T> // some of its members
}
