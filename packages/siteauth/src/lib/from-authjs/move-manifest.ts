import MagicString from 'magic-string'
import type { ObjectExpression } from 'oxc-parser'
import { nameOf, parseSource } from '../code/source.ts'
import type { Remark } from '../code/workspace.ts'
import { newModuleName } from './module-names.ts'

/** Versions of adapters that go on from those of v4. */
const ADAPTER_VERSIONS: Readonly<Record<string, string>> = {
  '@auth/prisma-adapter': '^2.11.3',
  '@auth/drizzle-adapter': '^1.11.3',
  '@auth/pg-adapter': '^1.11.3',
  '@auth/kysely-adapter': '^1.11.2',
  '@auth/dynamodb-adapter': '^2.11.3',
  '@auth/unstorage-adapter': '^2.11.2',
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** What Auth.js asked for in versions that our packages do not take, so that npm would install neither. */
const RAISED: Readonly<Record<string, string>> = {
  '@simplewebauthn/browser': '^14.0.0',
  '@simplewebauthn/server': '^14.0.0',
  nodemailer: '^7.0.0',
}

/** The oldest major versions of frameworks that our packages work with. */
const OLDEST: Readonly<Record<string, number>> = { '@sveltejs/kit': 2, svelte: 4, hono: 4 }

/** A package whose version was raised. */
export interface Raised {
  readonly name: string
  /** The range it had. */
  readonly from: string
}

/** A manifest after the move. */
interface MovedManifest {
  readonly text: string
  readonly raised: readonly Raised[]
  readonly remarks: readonly Remark[]
}

/** What the manifest is to name. */
interface Wanted {
  /** The version of our packages. */
  readonly version: string
  /** Packages of ours that the code imports now. */
  readonly imported: ReadonlySet<string>
}

/** A package.json with packages of Auth.js replaced where they are written. Others keep their versions. */
export function moveManifest(text: string, wanted: Wanted): MovedManifest {
  const sections = sectionsOf(text)
  const names = sections.flatMap(({ entries }) => entries.map(({ name }) => name))
  const after = new Set(names.map(name => newModuleName(name) ?? name))
  const missing = [...wanted.imported].filter(name => !after.has(name)).sort()
  const isOurs = [...after, ...missing].some(name => name.startsWith('@siteauth/'))
  const changed = new MagicString(text)
  const raised: Raised[] = []
  let hasAdded = false
  for (const { entries } of sections) {
    if (isOurs) for (const each of raise(changed, entries)) raised.push(each)
    const isFirst: boolean = !hasAdded && entries.some(({ name }) => isRenamed(name, entries))
    movePackages(changed, entries, wanted.version, isFirst ? missing : [])
    hasAdded ||= isFirst
  }
  const remarks = isOurs ? tooOld(sections) : []
  if (!hasAdded && missing.length > 0) {
    remarks.push({
      where: 'package.json',
      what: `The code imports ${missing.join(' and ')}: add it to the dependencies.`,
    })
  }
  return { text: changed.toString(), raised, remarks }
}

interface Entry {
  readonly name: string
  readonly range: string
  readonly start: number
  readonly end: number
}

interface Section {
  readonly entries: readonly Entry[]
}

/** The lists of packages, with positions in the text. */
function sectionsOf(text: string): readonly Section[] {
  // JSON is an expression, once it is in parentheses: then it can be changed in its place.
  const before = '('
  const source = parseSource('package.ts', `${before}${text.replace(/^\uFEFF/, ' ')}\n)`)
  const [statement] = source?.program.body ?? []
  const manifest = statement?.type === 'ExpressionStatement' ? statement.expression : null
  const inner = manifest?.type === 'ParenthesizedExpression' ? manifest.expression : manifest
  if (inner?.type !== 'ObjectExpression') return []
  return inner.properties.flatMap(section => {
    if (section.type !== 'Property' || section.value.type !== 'ObjectExpression') return []
    if (!SECTIONS.includes(nameOf(section.key) ?? '')) return []
    return [{ entries: entriesOf(section.value, before.length) }]
  })
}

function entriesOf({ properties }: ObjectExpression, offset: number): readonly Entry[] {
  return properties.flatMap(each => {
    const name = each.type === 'Property' ? nameOf(each.key) : null
    if (each.type !== 'Property' || name === null) return []
    const range = nameOf(each.value) ?? ''
    return [{ name, range, start: each.start - offset, end: each.end - offset }]
  })
}

/** Whether an entry gets another name, rather than going because somebody has installed that one already. */
function isRenamed(name: string, entries: readonly Entry[]): boolean {
  const renamed = newModuleName(name)
  return renamed !== null && !entries.some(each => each.name === renamed)
}

function movePackages(
  changed: MagicString,
  entries: readonly Entry[],
  version: string,
  added: readonly string[],
): void {
  const there = entries.map(({ name }) => name)
  const written = added.map(name => `"${name}": "^${version}"`)
  for (const [index, each] of entries.entries()) {
    const renamed = newModuleName(each.name)
    if (!renamed) continue
    if (there.includes(renamed)) {
      // Somebody has installed it already. A list has a comma fewer than entries.
      const [next, previous] = [entries[index + 1], entries[index - 1]]
      const start = next || !previous ? each.start : previous.end
      changed.remove(start, next ? next.start : each.end)
      continue
    }
    const isOurs = renamed.startsWith('@siteauth/')
    const range = isOurs ? `^${version}` : (ADAPTER_VERSIONS[renamed] ?? 'latest')
    // An entry in a line of its own has the others in lines of their own.
    const [space = ' '] = /\s*$/.exec(changed.original.slice(0, each.start)) ?? []
    const others = written.splice(0).map(text => `,${space || ' '}${text}`)
    changed.overwrite(each.start, each.end, `"${renamed}": "${range}"${others.join('')}`)
  }
}

function raise(changed: MagicString, entries: readonly Entry[]): readonly Raised[] {
  return entries.flatMap(({ name, range, start, end }) => {
    const wanted = RAISED[name]
    const [major] = /\d+/.exec(range) ?? []
    if (!wanted || !major || Number(major) >= Number(/\d+/.exec(wanted)?.[0])) return []
    changed.overwrite(start, end, `"${name}": "${wanted}"`)
    return [{ name, from: range }]
  })
}

function tooOld(sections: readonly Section[]): Remark[] {
  return sections.flatMap(({ entries }) =>
    entries.flatMap(({ name, range }): readonly Remark[] => {
      const [major] = /\d+/.exec(range) ?? []
      if (name === 'solid-start') {
        return [
          {
            where: 'package.json',
            what: 'solid-start is too old: SiteAuth needs @solidjs/start 1.3 or later.',
          },
        ]
      }
      const oldest = OLDEST[name]
      if (!oldest || !major || Number(major) >= oldest) return []
      const what = `${name} ${range} is too old: SiteAuth needs version ${oldest} or later.`
      return [{ where: 'package.json', what }]
    }),
  )
}

/** A tsconfig.json, which may have comments, with names of packages replaced where it has any. */
export function moveTsconfig(text: string): string {
  return text.replaceAll(/"([@\w][\w./@-]*)"/g, (whole, name) => {
    const renamed = newModuleName(String(name))
    return renamed ? `"${renamed}"` : String(whole)
  })
}
