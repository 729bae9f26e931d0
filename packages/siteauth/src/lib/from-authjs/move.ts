import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSource, readCode } from '../code/source.ts'
import { ownVersion } from '../own-version.ts'
import { leadsOutside } from '../project/contained.ts'
import { readEnvFiles } from '../project/env-files.ts'
import { listCode, listPackages, readText } from '../project/files.ts'
import { installedVersion, readProject } from '../project/project.ts'
import { findRemarks } from './find-manual-steps.ts'
import { moveCalls } from './move-calls.ts'
import { moveHandler } from './move-handler.ts'
import { moveManifest, moveTsconfig } from './move-manifest.ts'
import { moveProxy } from './move-proxy.ts'
import { renameModules } from './rename-modules.ts'
import { type Change, openWorkspace, type Remark, type Workspace } from './workspace.ts'

/** What a move would do, or has done. */
export interface Move {
  readonly changes: readonly Change[]
  readonly remarks: readonly Remark[]
}

/** Works out how a project moves from Auth.js, with those within it. Writes nothing. */
export function planMove(folder: string): Move {
  const moves = ['', ...listPackages(folder)].map(inner => {
    const { changes, remarks } = planPackage(join(folder, inner))
    const named = (file: string) => (inner ? `${inner}/${file}` : file)
    return {
      changes: changes.map(change => ({ ...change, file: named(change.file) })),
      remarks: remarks.map(remark => ({ ...remark, where: named(remark.where) })),
    }
  })
  return {
    changes: moves.flatMap(({ changes }) => changes),
    remarks: moves.flatMap(({ remarks }) => remarks),
  }
}

function planPackage(folder: string): Move {
  const { dependencies } = readProject(folder)
  const workspace = openWorkspace(folder)
  const remarks: Remark[] = []
  const nextVersion = dependencies['next'] ?? installedVersion(folder, 'next')
  const mentions = workspace.files().filter(file => MENTION.test(workspace.read(file) ?? ''))
  const isV4 = isOfV4(folder, dependencies['next-auth'], workspace, mentions)

  if (isV4) moveCalls(workspace, moveHandler(workspace, remarks), remarks)
  if (dependencies['next-auth'] || mentions.length > 0) {
    moveProxy(workspace, majorOf(nextVersion), remarks)
  }
  for (const file of workspace.files()) {
    if (!MENTION.test(workspace.read(file) ?? '')) continue
    const source = workspace.source(file)
    if (source) workspace.write(file, renameModules(source))
    else remarks.push({ where: file, what: 'It cannot be parsed, and was left as it is.' })
  }
  remarks.push(...leftAlone(folder))
  const text = (file: string) => (leadsOutside(folder, file) ? null : readText(join(folder, file)))
  for (const file of settingsOf(folder)) {
    const settings = text(file)
    if (settings !== null) workspace.write(file, moveTsconfig(settings))
  }
  const manifest = text('package.json')
  if (manifest !== null) workspace.write('package.json', moveManifest(manifest, ownVersion()))
  const changes = workspace.changes()
  if (changes.length === 0) return { changes, remarks: [] }
  assertSound(changes)
  const env = Object.assign({}, ...readEnvFiles(folder, 'production').map(each => each.variables))
  return { changes, remarks: [...remarks, ...findRemarks(workspace, { isV4, nextVersion, env })] }
}

const MENTION = /next-auth|@auth\//

function settingsOf(folder: string): readonly string[] {
  return readdirSync(folder).filter(name => /^[jt]sconfig(?:\.[\w.-]+)?\.json$/.test(name))
}

/** By what package.json says; where that is no number, by what is installed, or by what the code uses. */
function isOfV4(
  folder: string,
  range: string | undefined,
  workspace: Workspace,
  mentions: readonly string[],
): boolean {
  const [major] = /\d+/.exec(range ?? installedVersion(folder, 'next-auth') ?? '') ?? []
  if (major) return major === '4'
  const [installed] = /^\d+/.exec(installedVersion(folder, 'next-auth') ?? '') ?? []
  if (installed) return installed === '4'
  return mentions.some(file =>
    /\bgetServerSession\b|\bNextAuthOptions\b|next-auth\/middleware/.test(
      workspace.read(file) ?? '',
    ),
  )
}

/** Files that name Auth.js and are not changed. */
function leftAlone(folder: string): readonly Remark[] {
  const settings = [...settingsOf(folder), 'package.json']
  return [...listCode(folder), ...settings].flatMap(file => {
    const path = join(folder, file)
    // A link may lead nowhere.
    if (!existsSync(path)) return []
    const isLink = lstatSync(path).isSymbolicLink()
    const isText = readCode(path) !== null
    if (!isLink && isText) return []
    if (!MENTION.test(readFileSync(path, 'latin1'))) return []
    if (!isText) return [{ where: file, what: 'It is not UTF-8, and was left as it is.' }]
    if (!leadsOutside(folder, file)) return []
    return [{ where: file, what: 'It is a link out of this project, and was left as it is.' }]
  })
}

/** A mistake of ours should not become one of the project. */
function assertSound(changes: readonly Change[]): void {
  for (const { file, before, after } of changes) {
    if (after === null || !/\.[cm]?[jt]sx?$/.test(file)) continue
    const was = before === null || parseSource(file, before) !== null
    if (was && !parseSource(file, after)) {
      throw new Error(
        `${file} would not parse after the move, so nothing was changed. Please report this, with the file.`,
      )
    }
  }
}

function majorOf(version: string | null): number {
  const [major = '0'] = version?.match(/\d+/) ?? []
  return Number(major)
}
