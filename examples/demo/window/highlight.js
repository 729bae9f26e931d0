import { html } from './html.js'

const token =
  /(\/\*[\s\S]*?\*\/|\/\/.*)|('(?:[^'\\\n]|\\.)*'|`[^`\n]*`)|\b(import|from|export|default|const|async|await|function|return|if|of|new|true|false|null)\b/g

/** Code with comments, texts and keywords marked. */
export function highlight(code) {
  const parts = []
  let end = 0
  for (const match of code.matchAll(token)) {
    const [text, comment, literal] = match
    const kind = comment ? 'comment' : literal ? 'text' : 'word'
    parts.push(code.slice(end, match.index), html`<i class="${kind}">${text}</i>`)
    end = match.index + text.length
  }
  return [...parts, code.slice(end)]
}
