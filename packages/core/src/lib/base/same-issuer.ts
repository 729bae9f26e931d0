/** Whether two texts name one issuer. They are compared as URLs: the slash after a bare origin may come or go. */
export function isSameIssuer(one: string, other: string): boolean {
  return one === other || (URL.canParse(one) && hrefOf(one) === hrefOf(other))
}

function hrefOf(text: string): string | null {
  return URL.canParse(text) ? new URL(text).href : null
}
