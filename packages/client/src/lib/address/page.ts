/** The address of an endpoint, for a page. What the endpoints begin with will do. */
export function addressOf(base: string, endpoint: string): string {
  return `${base}/${endpoint}`
}
