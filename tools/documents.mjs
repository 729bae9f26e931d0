// Headings, links and blocks are lines with a mark. Searching the tree of a parser for them would take as much.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slug } from '../docs/.vitepress/slug.mjs'

/** Every Markdown file that people read, also those that are not committed. */
export function listDocuments(root) {
  const output = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], {
    cwd: root,
    encoding: 'utf8',
  })
  return output
    .split('\n')
    .filter(file => file && !file.endsWith('.api.md') && existsSync(join(root, file)))
    .sort()
}

/** The parts of a document that the checks look at. Lines are counted from 1. */
export function readDocument(file) {
  return parseDocument(readFileSync(file, 'utf8'))
}

/** The same, from the text. */
export function parseDocument(text) {
  const headings = []
  const links = []
  const fences = []
  const anchors = new Set()
  let open = null
  for (const [index, line] of text.split('\n').entries()) {
    const fence = line.match(/^\s*(`{3,}|~{3,})(.*)$/)
    if (open) {
      if (fence?.[1].startsWith(open.marker) && fence[2].trim() === '') {
        fences.push({ ...open, code: open.lines.join('\n') })
        open = null
      } else open.lines.push(line)
      continue
    }
    if (fence) {
      open = { marker: fence[1], ...infoOf(fence[2]), line: index + 1, lines: [] }
      continue
    }
    const heading = line.match(/^(#{1,6}) (.+)$/)
    if (heading) headings.push({ ...nameOf(heading[2], anchors), level: heading[1].length })
    for (const [, id] of line.matchAll(/<a id="([^"]+)"/g)) anchors.add(id)
    for (const target of linksIn(line)) links.push({ target, line: index + 1 })
  }
  if (open) fences.push({ ...open, code: open.lines.join('\n'), unclosed: true })
  return { headings, links, fences, anchors }
}

// "ts [auth.ts]": the language, and the file that the block is the content of.
function infoOf(info) {
  const [, language, file] = info.trim().match(/^(\S*)(?:\s+\[(.+)\])?/)
  return { language, file }
}

function nameOf(heading, anchors) {
  const text = heading
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
  const first = slug(text)
  let anchor = first
  for (let again = 1; anchors.has(anchor); again++) anchor = `${first}-${again}`
  anchors.add(anchor)
  return { text, anchor }
}

function linksIn(line) {
  const prose = line.replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '')
  return [
    ...[...prose.matchAll(/\]\(\s*<?([^)\s>]+)>?[^)]*\)/g)].map(([, target]) => target),
    ...[...prose.matchAll(/^\s*\[[^\]]+\]:\s+(\S+)/g)].map(([, target]) => target),
    ...[...prose.matchAll(/\b(?:href|src)="([^"{]+)"/g)].map(([, target]) => target),
    ...[...prose.matchAll(/^\s*(?:- )?link: (\S+)$/g)].map(([, target]) => target),
  ]
}
