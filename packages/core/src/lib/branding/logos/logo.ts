/** A part of a logo that is drawn in one colour. */
export interface LogoPath {
  /** Path data, in a square of 24 by 24. */
  path: string
  /** CSS colour. */
  fill: string
}

/** What people know a provider by: path data in a square of 24 by 24, or several in their colours. */
export type Logo = string | readonly LogoPath[]
