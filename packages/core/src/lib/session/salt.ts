/**
 * What keys are derived for: a purpose, which is the name of a cookie, and an audience where there is
 * one. No name of a cookie has a blank in it, so no two pairs make the same text.
 */
export function saltFor(
  purpose: string,
  about: { readonly audience?: string | undefined } | undefined,
): string {
  return about?.audience === undefined ? purpose : `${about.audience} ${purpose}`
}
