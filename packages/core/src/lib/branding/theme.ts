import { parseColor } from './color.ts'

/** How the built-in pages and emails look. */
export interface Theme {
  /** The application's name on pages and in emails. Defaults to its host. */
  appName?: string
  /** `auto` follows the visitor's device. */
  colorScheme?: 'auto' | 'dark' | 'light'
  /** URL of an image shown above the content: a path, an http(s) URL, or a data URL. */
  logo?: string
  /** CSS colour of the buttons. Their text is black or white, whichever reads better. */
  brandColor?: string
  /** CSS colour of the buttons' text, to override black or white. */
  buttonText?: string
}

/** The application's name, on one line. */
export function appNameOf({ appName }: Theme): string | undefined {
  // One with a line break could add a header to an email.
  return appName?.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() || undefined
}

const letters = /^[#a-z0-9 \t(),.%/+-]{3,80}$/i

/**
 * A colour that can be nothing but a colour: no `url()` or `var()`, and nothing that ends a
 * declaration. Undefined if it is not one.
 */
export function cssColor(value: string | undefined): string | undefined {
  return value && letters.test(value) && value.trim() === value && parseColor(value)
    ? value
    : undefined
}

/** An address that can be nothing but that of an image. Undefined if it is not one. */
export function imageUrl(value: string | undefined): string | undefined {
  if (!value || !/^(?:https?:\/\/|\/(?![/\\])|data:image\/[a-z+.-]+[;,])/i.test(value))
    return undefined
  return value.startsWith('/') || URL.canParse(value) ? value : undefined
}
