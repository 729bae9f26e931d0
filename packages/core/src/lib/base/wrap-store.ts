/** How the members of a store change that are not in `Unchanged`. Optional members receive none of their own absence. */
export type StoreWrappers<Store extends object, Unchanged extends keyof Store> = {
  readonly [Name in Exclude<keyof Store, Unchanged>]-?: (
    member: NonNullable<Store[Name]>,
  ) => NonNullable<Store[Name]>
}

/**
 * Wraps a store. Each member has a wrapper, or its name is in `Unchanged`: a member that is added to the type of the store
 * later fails to compile here until someone has decided. The names are a type, because a list would be part of every
 * application. For passwords, `wrapStore<PasswordStore, 'get' | 'remove'>(passwords, { set: set => limited(set) })` is complete.
 */
export function wrapStore<Store extends object, Unchanged extends keyof Store>(
  store: Store,
  wrappers: StoreWrappers<Store, Unchanged>,
): Store {
  const wrapped = { ...store }
  for (const name of Object.keys(wrappers) as Exclude<keyof Store, Unchanged>[]) {
    const member = store[name]
    if (member) wrapped[name] = wrappers[name](member)
  }
  return wrapped
}
