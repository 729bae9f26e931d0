/** A part of a logo that is drawn in one colour. */
export interface LogoPath {
  /** Path data, in a square of 24 by 24. */
  path: string
  /** CSS colour. */
  fill: string
}

/** A provider's logo: path data in a square of 24 by 24, or several in their colours. */
export type Logo = string | readonly LogoPath[]
