/** What a cookie says. A value whose percent-encoding is broken is kept as it is. */
export function cookieValue(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
