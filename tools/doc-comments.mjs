// Of TSDoc we use prose, tags and links, which take a few lines to read.
/** The comment that documents a node, right before it, or null. */
export function commentBefore({ text, comments }, node) {
  const comment = comments.findLast(({ end }) => end <= node.start)
  if (!comment?.value.startsWith('*')) return null
  if (text.slice(comment.end, node.start).trim() !== '') return null
  return parseComment(comment.value)
}

/** What a comment says: its prose as Markdown, and its tags. */
export function parseComment(value) {
  const lines = value.split('\n').map(line => line.replace(/^\s*\*? ?/, '').trimEnd())
  const tags = []
  const prose = []
  let fenced = false
  for (const line of lines) {
    if (/^```/.test(line)) fenced = !fenced
    const tag = !fenced && line.match(/^@(\w+)\s?(.*)$/)
    if (tag) tags.push({ name: tag[1], lines: tag[2] ? [tag[2]] : [] })
    else (tags.at(-1)?.lines ?? prose).push(line)
  }
  return {
    prose: plainLinks(prose.join('\n').trim()),
    tags: tags.map(({ name, lines: own }) => ({ name, text: plainLinks(own.join('\n').trim()) })),
  }
}

/** An interface that a file declares: its members, each with its type and its comment. */
export function interfaceMembers(source, name) {
  const declaration = source.program.body
    .map(node => node.declaration ?? node)
    .find(node => node.type === 'TSInterfaceDeclaration' && node.id.name === name)
  if (!declaration) throw new Error(`there is no interface ${name}`)
  return declaration.body.body
    .filter(member => member.key)
    .map(member => ({
      name: source.text.slice(member.key.start, member.key.end),
      optional: member.optional === true,
      type: typeOf(source, member),
      comment: commentBefore(source, member),
    }))
}

function typeOf({ text }, member) {
  const type =
    member.type === 'TSMethodSignature'
      ? text.slice(member.key.end, member.end)
      : text.slice(member.typeAnnotation.typeAnnotation.start, member.typeAnnotation.end)
  return type
    .replaceAll(/(?<![{(,|&])\n\s*(?=\w+\??:)/g, '; ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/,? \)/g, ')')
    .replaceAll('( ', '(')
    .replace(/ \| undefined$/, '')
}

function plainLinks(text) {
  return text.replaceAll(/\{@link ([^}|]+)(?:\|[^}]*)?\}/g, '`$1`')
}
