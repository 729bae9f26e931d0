// The endpoints are loaded when somebody calls one: most requests only ask who they are from.
let loaded: Promise<typeof import('./respond.ts')> | undefined

/** What answers requests to the endpoints. */
export function endpoints(): Promise<typeof import('./respond.ts')> {
  loaded ??= import('./respond.ts')
  return loaded
}
