/** An issuer that stands at a path below what people call their address, which may be there already. */
export function issuerBelow(address: string | undefined, path: string): string | undefined {
  if (!address) return undefined
  const base = address.replace(/\/+$/, '')
  return path !== '/' && base.endsWith(path) ? base : base + path
}
