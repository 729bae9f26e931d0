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
export function choosePaths(mount: string, configured: string): ChosenPaths {
  if (configured !== '' && endsAlike(configured, mount))
    return { route: mount, public: configured, mismatch: false }
  return { route: mount, public: mount, mismatch: !endsAlike(mount, configured) }
}

/** Express finds a mount whatever the case of the path that a request names. */
function endsAlike(path: string, end: string): boolean {
  return path.toLowerCase().endsWith(end.toLowerCase())
}
