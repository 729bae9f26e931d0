/** How the built-in pages and messages look. */
export interface Theme {
  /** `auto` follows the visitor's device. */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of an image that is shown above the content. */
  logo?: string
  /** CSS colour of the buttons. */
  brandColor?: string
  /** CSS colour of the text on the buttons. */
  buttonText?: string
}

const colour =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30}|(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\([\d\s.,%/a-z-]{1,60}\))$/i

/** A colour that can be nothing but a colour: no `url()`, and nothing that ends a declaration. */
export function cssColor(value: string | undefined): string | undefined {
  return value && colour.test(value) ? value : undefined
}
