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
