/** For whoever means it. */
export interface ProductionOption {
  /**
   * Set this to run where `NODE_ENV` is `production`. Without it, this refuses to: what signs anybody in
   * belongs in tests.
   */
  allowInProduction?: boolean | undefined
}

/** Throws in production, unless told otherwise: a helper for tests got there by mistake. */
export function rejectProduction(name: string, { allowInProduction }: ProductionOption = {}): void {
  if (!isProduction() || allowInProduction) return
  throw new Error(
    `${name} is for tests, and NODE_ENV is "production". Import it in tests only. If this is one, set ` +
      'NODE_ENV to "test", or pass allowInProduction: true.',
  )
}

// Bundlers look for exactly `process.env.NODE_ENV`, which the general type does not allow.
declare const process: { readonly env: { readonly NODE_ENV?: string } }

function isProduction(): boolean {
  try {
    // Not asked for first: bundlers write the value here, for browsers that have no such thing.
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}
