import { type Blanks, blankFor } from '../look/words/fill-text.ts'
import { type Html, html } from './html.ts'

/**
 * Words with their blanks filled in. What is filled in may be written in the other direction than
 * the words around it, and must not turn them round.
 */
export function fill(text: string, blanks: Blanks): Html {
  const [first = '', ...rest] = text.split('{')
  return html`${first}${rest.map(piece => {
    const end = piece.indexOf('}')
    const value = blankFor(blanks, piece.slice(0, Math.max(end, 0)))
    return value === undefined ? `{${piece}` : [html`<bdi>${value}</bdi>`, piece.slice(end + 1)]
  })}`
}
