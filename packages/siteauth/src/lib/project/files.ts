import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type PathInProject, pathWithin } from './contained.ts'

/** The text of a file; null if there is none. */
export function readText(path: string): string | null {
  const bytes = readBytes(path)
  if (bytes === null) return null
  // Written back, it would have lost whatever cannot be read: PowerShell, for one, makes UTF-16.
  if (!isUtf8(bytes)) throw new NotText(`${path} is not UTF-8. Save it as UTF-8 first.`)
  return bytes.toString('utf8')
}

/** A file in another encoding, or of no text at all. */
export class NotText extends Error {
  override name = 'NotText'
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = Object(error) as { code?: unknown } // anything can be thrown
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return null
    throw error
  }
}

/** How a file is to be written. */
interface FileToWrite extends PathInProject {
  readonly text: string
  /** Who may read it, if it is new. */
  readonly mode?: number
}

/** Writes a file as a whole or not at all: whoever interrupts it keeps the old one. */
export function writeText(file: FileToWrite): void {
  stageText(file).put()
}

/** A text that is on the disk, but not yet in its place. */
export interface StagedText {
  put(): void
  drop(): void
}

/** Does all of writing a file that can fail. What a link within the project leads to is written there. */
export function stageText({ text, mode = 0o644, ...path }: FileToWrite): StagedText {
  const target = pathWithin(path)
  mkdirSync(dirname(target), { recursive: true })
  const permissions = existsSync(target) ? lstatSync(target).mode & 0o777 : mode
  if (!(permissions & 0o200)) throw new Error(`${path.file} is read-only. Make it writable first.`)
  const beside = `${target}.${randomUUID()}.tmp`
  const drop = () => rmSync(beside, { force: true })
  const opened = openSync(beside, 'wx', 0o600)
  try {
    assertInPlace(beside, opened)
    writeFileSync(opened, text)
    fchmodSync(opened, permissions)
  } catch (error) {
    drop()
    throw error
  } finally {
    closeSync(opened)
  }
  // If a folder has become a link by then, the file with the unguessable name is not there.
  return { put: () => renameSync(beside, target), drop }
}

/** Node opens by path alone: a folder may have become a link since it was looked at. */
function assertInPlace(path: string, opened: number): void {
  const { dev, ino } = fstatSync(opened, { bigint: true })
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  const isSame = found?.dev === dev && found.ino === ino
  if (isSame && realpathSync(path) === path) return
  throw new Error(`Something replaced the folder of ${path} while it was written.`)
}

/** Removes a file, or the link that is in its place. */
export function removeFile({ folder, file }: PathInProject): void {
  const parent = pathWithin({ folder, file: dirname(file) })
  rmSync(join(parent, basename(file)), { force: true })
}

/** The contents of a JSON file as an object; null if there is none. */
export function readJson(path: string): Readonly<Record<string, unknown>> | null {
  const text = readText(path)
  if (text === null) return null
  try {
    // An empty object for anything that is no object.
    return Object(JSON.parse(text.replace(/^\uFEFF/, ''))) as Record<string, unknown>
  } catch (error) {
    throw new Error(`${path} is no JSON: ${error instanceof Error ? error.message : error}`)
  }
}

// A page may be called build or vendor, but not a folder at the top.
const SKIPPED = new Set(['dist', 'build', 'out', 'coverage', 'generated', 'vendor'])
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/
const COMPONENT = /\.(?:vue|svelte|astro)$/

/** The source files of a project, relative to its folder, in alphabetical order. */
export function listCode(
  folder: string,
  { components = false }: { readonly components?: boolean } = {},
): readonly string[] {
  const { code, components: others } = list(folder, '')
  return components ? [...code, ...others].sort() : code
}

/** The projects within a project, as a workspace has them, relative to its folder. */
export function listPackages(folder: string): readonly string[] {
  return list(folder, '').packages.flatMap(inner => [
    inner,
    ...listPackages(join(folder, inner)).map(each => `${inner}/${each}`),
  ])
}

interface Listed {
  readonly code: readonly string[]
  /** Of Vue, Svelte and Astro. */
  readonly components: readonly string[]
  readonly packages: readonly string[]
}

function list(folder: string, below: string): Listed {
  const code: string[] = []
  const components: string[] = []
  const packages: string[] = []
  for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
    const { name } = entry
    const path = below ? `${below}/${name}` : name
    if (!entry.isDirectory()) {
      if (CODE.test(name) && !name.includes('.min.')) code.push(path)
      if (COMPONENT.test(name)) components.push(path)
      continue
    }
    if (name === 'node_modules' || name.startsWith('.')) continue
    if (below === '' && SKIPPED.has(name)) continue
    if (isPackage(join(folder, path))) packages.push(path)
    else {
      const inner = list(folder, path)
      for (const each of inner.code) code.push(each)
      for (const each of inner.components) components.push(each)
      for (const each of inner.packages) packages.push(each)
    }
  }
  return { code: code.sort(), components, packages: packages.sort() }
}

/** Some folders have a package.json only to say what their modules are. */
function isPackage(folder: string): boolean {
  const text = readText(join(folder, 'package.json'))
  return text !== null && /"(?:name|dependencies|devDependencies|peerDependencies)"/.test(text)
}
