import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { slug } from '../docs/.vitepress/slug.mjs'
import { entriesOf } from './api-report.mjs'
import { openDeclarations } from './declarations.mjs'
import { listPackages, ROOT } from './workspace.mjs'

/** Not committed: made from the built declarations whenever the site is. */
export const API_FOLDER = 'docs/reference/api'

/**
 * Writes a page for everything that can be imported. Answers what has no comment. Pages that are as they
 * should be are left alone: somebody may be reading them.
 */
export function writeApiDocs(root = ROOT) {
  const folder = join(root, API_FOLDER)
  const { pages, faults } = apiPages(root)
  mkdirSync(folder, { recursive: true })
  const old = new Set(readdirSync(folder))
  for (const { file, text } of pages) {
    const path = join(folder, file)
    if (!old.delete(file) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  }
  for (const file of old) rmSync(join(folder, file), { recursive: true })
  return faults
}

/** The pages, and the exports that nobody could understand from them. */
export function apiPages(root = ROOT) {
  const entries = listPackages(root)
    .filter(({ manifest }) => manifest.exports && !manifest.private)
    .flatMap(entriesOf)
    .filter(({ name, file }) => existsSync(file) && !isDescribedElsewhere(root, name))
  const pages = entries.map(readEntry)
  return {
    pages: [...pages.map(page => ({ file: page.file, text: writePage(page) })), writeIndex(pages)],
    faults: pages.flatMap(({ name, exported }) =>
      exported
        .filter(
          each => each.declarations?.length && !each.comment?.prose && each.name !== 'default',
        )
        .map(each => `${each.name} of ${name} has no comment that says what it is`),
    ),
  }
}

// Providers have pages of their own, and frameworks only pass them on.
function isDescribedElsewhere(root, name) {
  const [, framework, provider] = name.match(/^@siteauth\/(.+)\/providers\/(.+)$/) ?? []
  if (!provider) return false
  return framework !== 'core' || existsSync(join(root, `docs/providers/${provider}.md`))
}

function readEntry({ name, file }) {
  const declarations = openDeclarations()
  const exported = declarations.exportedNames(file).map(each => {
    const found = declarations.findExport(file, each)
    if (!found?.file || found.name === '*') return { name: each, from: found?.from }
    const all = declarations.read(found.file).declared.get(found.name)
    const { comment } = all.find(one => one.comment) ?? {}
    return { name: each, kind: all[0].kind, declarations: all, comment }
  })
  const stars = declarations.read(file).stars.map(({ source }) => source)
  return {
    name,
    file: `${name.replace('@siteauth/', '').replaceAll('/', '-')}.md`,
    exported,
    passedOn: stars.filter(source => !source.startsWith('.')),
  }
}

function writePage({ name, exported, passedOn }) {
  const others = passedOn.map(source => `Everything from \`${source}\`.`)
  if (exported.length === 0) return `${[`# ${name}`, ...others].join('\n\n')}\n`
  return `${[
    `# ${name}`,
    ...others,
    ['```ts', importLine(name, exported), '```'].join('\n'),
    table(
      ['Name', 'Kind', ''],
      exported.map(each => [
        `[\`${each.name}\`](#${slug(each.name)})`,
        each.kind ?? '',
        each.from ? `From \`${each.from}\`.` : firstSentence(each.comment?.prose ?? ''),
      ]),
    ),
    ...exported.flatMap(section),
  ].join('\n\n')}\n`
}

function importLine(name, exported) {
  const first = exported.find(({ kind }) => kind === 'function' || kind === 'const') ?? exported[0]
  if (first?.name === 'default') return `import Provider from '${name}'`
  const isType = first?.kind === 'interface' || first?.kind === 'type'
  return `import ${isType ? 'type ' : ''}{ ${first?.name ?? ''} } from '${name}'`
}

function section({ name, from, comment, declarations }) {
  if (!declarations) {
    return [`## ${name}`, from ? `The same as in \`${from}\`.` : 'A module.']
  }
  const deprecated = comment?.tags.find(tag => tag.name === 'deprecated')
  const examples = comment?.tags.filter(tag => tag.name === 'example') ?? []
  return [
    `## ${name}`,
    deprecated && `> **Deprecated.** ${deprecated.text}`,
    comment?.prose,
    ['```ts', ...new Set(declarations.map(({ commented }) => outdented(commented))), '```'].join(
      '\n',
    ),
    ...examples.map(({ text }) => `Example:\n\n${text}`),
  ].filter(Boolean)
}

// Words that every declaration starts with say nothing here.
function outdented(text) {
  return text.replace(/^export (?=(declare|interface|type|class))/, '').replace(/^declare /, '')
}

function writeIndex(pages) {
  const text = [
    '# API reference',
    'Everything that can be imported, from the comments in the source.',
    table(
      ['Import', 'What it has'],
      pages.map(({ name, file, exported, passedOn }) => [
        `[\`${name}\`](${file})`,
        [namesOf(exported), ...passedOn.map(source => `everything from \`${source}\``)]
          .filter(Boolean)
          .join(', '),
      ]),
    ),
  ].join('\n\n')
  return { file: 'index.md', text: `${text}\n` }
}

function namesOf(exported) {
  const names = exported.map(({ name }) => `\`${name}\``)
  return names.length > 6
    ? `${names.slice(0, 6).join(', ')} and ${names.length - 6} more`
    : names.join(', ')
}

function firstSentence(prose) {
  const line = prose.replaceAll(/\s+/g, ' ')
  return line.match(/^.+?[.?!](?= |$)/)?.[0] ?? line
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = writeApiDocs()
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 ? 1 : 0
}
