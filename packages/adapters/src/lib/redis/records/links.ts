/**
 * Identifies one act of linking. A pointer and its record share it, so half of a pair that was
 * unlinked and linked again in the meantime is not mistaken for half of the new pair.
 */
export function newLink(): string {
  return crypto.randomUUID()
}

export function encodeLinked(link: string, rest: string): string {
  return link === '' ? rest : `${link} ${rest}`
}

/** Splits a text into its link and the rest. Texts from before there were links have an empty one. */
export function decodeLinked(text: string): { readonly link: string; readonly rest: string } {
  const [, link, rest] = LINKED.exec(text) ?? []
  return link === undefined || rest === undefined ? { link: '', rest: text } : { link, rest }
}

const LINKED = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (.*)$/s
