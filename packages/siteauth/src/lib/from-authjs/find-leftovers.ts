import { isComponent, templateOf } from '../code/component.ts'
import { importsIn } from '../code/edit-imports.ts'
import { lineOf, nameOf, type Source } from '../code/source.ts'
import type { Remark, Workspace } from '../code/workspace.ts'
import { isOfAuthjs, MENTION, newModuleName, whatToDo } from './module-names.ts'
import type { Raised } from './move-manifest.ts'
import { allModulesIn, modulesIn } from './rename-modules.ts'

/** Names that are imported from modules whose successors lack them. Call it before modules are renamed. */
export function findGoneNames(workspace: Workspace): readonly Remark[] {
  return sourcesOf(workspace, MENTION).flatMap(source =>
    importsIn(source).flatMap(({ source: { value }, specifiers }) =>
      specifiers.flatMap((each): readonly Remark[] => {
        const name = each.type === 'ImportSpecifier' ? nameOf(each.imported) : null
        const what = name === null || !newModuleName(value) ? null : whatToDo(value, name)
        return what ? [{ where: placeOf(source, each.start), what }] : []
      }),
    ),
  )
}

/** What still names Auth.js once all is renamed that can be. */
export function findLeftovers(
  workspace: Workspace,
  settings: readonly string[],
): readonly Remark[] {
  const code = workspace.files().filter(file => MENTION.test(workspace.read(file) ?? ''))
  return [
    ...code.flatMap(file => inCode(workspace, file)),
    ...settings.flatMap(file => inSettings(file, workspace.read(file) ?? '')),
  ]
}

function inCode(workspace: Workspace, file: string): readonly Remark[] {
  const source = workspace.source(file)
  if (!source) return [{ where: file, what: 'It cannot be parsed, and was left as it is.' }]
  const left = allModulesIn(source).filter(({ value }) => isOfAuthjs(value))
  // In a template, code is within attributes and braces, which are not parsed.
  const template = isComponent(file) ? templateOf(file, source.text) : ''
  const inTemplate = [...template.matchAll(/(?<=\bimport\(\s*['"])[^'"]+/g)]
    .filter(([module]) => isOfAuthjs(module))
    .map(({ 0: value, index }) => ({ value, start: index }))
  return [...left, ...inTemplate].map(({ value, start }) => ({
    where: placeOf(source, start),
    what: (newModuleName(value) === null ? whatToDo(value) : null) ?? `It imports ${value} still.`,
  }))
}

/** Keys of a manifest, and names in a tsconfig. What is in a manifest by another key is not a package. */
function inSettings(file: string, text: string): readonly Remark[] {
  const pattern =
    file === 'package.json'
      ? /"([^"\s]+)"(?=\s*:)/g
      : file.endsWith('.yaml')
        ? /^\s*['"]?([^\s'":#]+)['"]?\s*:/gm
        : /"([^"\s]+)"/g
  return [...text.matchAll(pattern)].flatMap(({ 1: key = '', index }) => {
    // Overrides may name a version, and the package that asks for it.
    const name = key.replace(/^.*>/, '').replace(/(?<=.)@.*$/, '')
    if (!isOfAuthjs(name)) return []
    const line = text.slice(0, text.indexOf(key, index)).split('\n').length
    return [
      {
        where: `${file}:${line}`,
        what:
          newModuleName(name) === null
            ? (whatToDo(name) ?? '')
            : `${file} still names ${key}, which is no longer there: remove the entry.`,
      },
    ]
  })
}

const USE = /['"]@simplewebauthn\//

/** Where the application itself uses a package whose version was raised for us. */
export function findUses(workspace: Workspace, raised: readonly Raised[]): readonly Remark[] {
  const from = raised.find(({ name }) => name.startsWith('@simplewebauthn/'))?.from
  const mailer = raised.find(({ name }) => name === 'nodemailer')?.from
  return [
    ...(from ? sourcesOf(workspace, USE).flatMap(source => usesIn(source, from)) : []),
    ...(mailer
      ? sourcesOf(workspace, /['"]nodemailer['"]/).flatMap(source =>
          modulesIn(source)
            .filter(({ value }) => value === 'nodemailer')
            .map(({ start }) => ({
              where: placeOf(source, start),
              what: `nodemailer was raised from ${mailer}: version 7 has another transport for Amazon SES.`,
            })),
        )
      : []),
  ]
}

function usesIn(source: Source, from: string): readonly Remark[] {
  return modulesIn(source)
    .filter(({ value }) => value.startsWith('@simplewebauthn/'))
    .map(({ value, start }) => ({
      where: placeOf(source, start),
      what: value.startsWith('@simplewebauthn/types')
        ? 'Import its types from @simplewebauthn/server or @simplewebauthn/browser: @simplewebauthn/types is no longer published.'
        : `Your code uses ${value}, which was raised from ${from}: startRegistration and startAuthentication take { optionsJSON }, ids of credentials are texts, userID is a Uint8Array, and \`authenticator\` and registrationInfo have a \`credential\` instead.`,
    }))
}

function sourcesOf(workspace: Workspace, mention: RegExp): readonly Source[] {
  return workspace
    .files()
    .filter(file => mention.test(workspace.read(file) ?? ''))
    .flatMap(file => workspace.source(file) ?? [])
}

function placeOf(source: Source, position: number): string {
  return `${source.file}:${lineOf(source, position)}`
}
