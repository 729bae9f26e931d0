/** Packages of Auth.js, and what takes their place. */
const PACKAGES: Readonly<Record<string, string>> = {
  'next-auth': '@siteauth/next',
  '@auth/core': '@siteauth/core',
  '@auth/express': '@siteauth/express',
}

/** Adapters for v4 whose successors have other names. */
const ADAPTERS: Readonly<Record<string, string>> = {
  '@next-auth/typeorm-legacy-adapter': '@auth/typeorm-adapter',
}

/** What a module is called now; null if it keeps its name. */
export function newModuleName(module: string): string | null {
  const adapter = /^@next-auth\/[\w-]+-adapter/.exec(module)?.[0]
  if (adapter) {
    const renamed = ADAPTERS[adapter] ?? adapter.replace('@next-auth/', '@auth/')
    return renamed + module.slice(adapter.length)
  }
  // These are gone; what used them is rewritten before names are.
  if (module === 'next-auth/next') return '@siteauth/next'
  for (const [old, current] of Object.entries(PACKAGES)) {
    if (module === old || module.startsWith(`${old}/`)) return current + module.slice(old.length)
  }
  return null
}
