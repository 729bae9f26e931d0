/**
 * What names one act of linking. A pointer and the record that it points at have it in common: one of
 * a pair that was taken apart, and put together anew meanwhile, is not taken for one of the new pair.
 */
export function newLink(): string {
  return crypto.randomUUID()
}

export function encodeLinked(link: string, rest: string): string {
  return link === '' ? rest : `${link} ${rest}`
}

/** What was stored before there were links has an empty one. */
export function decodeLinked(text: string): { readonly link: string; readonly rest: string } {
  const [, link, rest] = LINKED.exec(text) ?? []
  return link === undefined || rest === undefined ? { link: '', rest: text } : { link, rest }
}

const LINKED = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/s
