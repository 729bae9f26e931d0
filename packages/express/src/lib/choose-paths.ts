/** Where requests arrive, and where browsers find the endpoints. */
export interface ChosenPaths {
  readonly route: string
  readonly public: string
  /** Whether what is configured contradicts the mount. */
  readonly mismatch: boolean
}

/**
 * Lays what is configured over the mount. A proxy may take a prefix off, which only the configuration
 * can know, and routers may add one, which it need not know. Otherwise the mount is a fact.
 */
export function choosePaths(mount: string, said: string): ChosenPaths {
  if (said !== '' && endsAlike(said, mount)) return { route: mount, public: said, mismatch: false }
  return { route: mount, public: mount, mismatch: !endsAlike(mount, said) }
}

/** Express finds a mount whatever the case of the path that a request names. */
function endsAlike(path: string, end: string): boolean {
  return path.toLowerCase().endsWith(end.toLowerCase())
}
