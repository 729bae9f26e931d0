/** How long somebody has to wait, from a query that anybody can write. */
export function secondsIn(text: string | undefined): number {
  return /^\d{1,5}$/.test(text ?? '') ? Number(text) : 60
}
