/** How bad something is: an error keeps people from signing in, or lets the wrong ones in. */
type Severity = 'error' | 'warning'

/** Something that is wrong with a project, and what to do about it. */
export interface Finding {
  /** Stays the same from release to release, for scripts that pass over some. */
  readonly code: string
  readonly severity: Severity
  readonly what: string
  readonly cure: string
  /** A file, with a line if one is to blame. */
  readonly where?: string
}
