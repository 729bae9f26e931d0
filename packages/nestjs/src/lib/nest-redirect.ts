/** Where to send a visitor, as a handler with `@Redirect()` returns it. */
export interface NestRedirect {
  readonly url: string
  readonly statusCode: number
}
