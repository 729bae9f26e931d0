/** On other runtimes than Node, the address that a name resolves to cannot be chosen. */
export function pinnedFetch(): typeof fetch | null {
  return null
}
