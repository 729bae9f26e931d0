/** For whoever means it. */
export interface ProductionOption {
  /**
   * Set this to run where `NODE_ENV` is `production`. Without it, this refuses to: what signs anybody in
   * belongs in tests.
   */
  allowInProduction?: boolean | undefined
}

/** Throws in production, unless told otherwise: a helper for tests got there by mistake. */
export function refuseProduction(name: string, { allowInProduction }: ProductionOption = {}): void {
  // Browsers have no such thing, and bundlers for them write its value here.
  const isProduction = typeof process === 'object' && process.env['NODE_ENV'] === 'production'
  if (!isProduction || allowInProduction) return
  throw new Error(
    `${name} is for tests, and NODE_ENV is "production". Import it in tests only. If this is one, set ` +
      'NODE_ENV to "test", or pass allowInProduction: true.',
  )
}
