import { join } from 'node:path'
import { ownVersion } from '../own-version.ts'
import { readEnvFiles } from '../project/env-files.ts'
import { readText } from '../project/files.ts'
import { installedVersion, readProject } from '../project/project.ts'
import { findRemarks } from './find-remarks.ts'
import { moveCalls } from './move-calls.ts'
import { moveHandler } from './move-handler.ts'
import { moveManifest, moveTsconfig } from './move-manifest.ts'
import { moveProxy } from './move-proxy.ts'
import { renameModules } from './rename-modules.ts'
import { type Change, openWorkspace, type Remark } from './workspace.ts'

/** What a move would do, or has done. */
export interface Move {
  readonly changes: readonly Change[]
  readonly remarks: readonly Remark[]
}

/** Works out how a project moves from Auth.js. Writes nothing. */
export function planMove(folder: string): Move {
  const { dependencies } = readProject(folder)
  const workspace = openWorkspace(folder)
  const remarks: Remark[] = []
  const nextVersion = dependencies['next'] ?? installedVersion(folder, 'next')
  const isV4 = /^[~^>=v ]*4\b/.test(dependencies['next-auth'] ?? '')

  if (isV4) moveCalls(workspace, moveHandler(workspace, remarks), remarks)
  if (dependencies['next-auth']) moveProxy(workspace, majorOf(nextVersion), remarks)
  for (const file of workspace.files()) {
    const source = workspace.source(file)
    if (source) workspace.write(file, renameModules(source))
    else if (/next-auth|@auth\//.test(workspace.read(file) ?? '')) {
      remarks.push({ where: file, what: 'It cannot be parsed, and was left as it is.' })
    }
  }
  const edits = {
    'package.json': (text: string) => moveManifest(text, ownVersion()),
    'tsconfig.json': moveTsconfig,
  }
  for (const [file, edit] of Object.entries(edits)) {
    const text = readText(join(folder, file))
    if (text !== null) workspace.write(file, edit(text))
  }
  const changes = workspace.changes()
  if (changes.length === 0) return { changes, remarks: [] }
  const env = Object.assign({}, ...readEnvFiles(folder, 'production').map(each => each.variables))
  return { changes, remarks: [...remarks, ...findRemarks(workspace, { isV4, nextVersion, env })] }
}

function majorOf(version: string | null): number {
  const [major = '0'] = version?.match(/\d+/) ?? []
  return Number(major)
}
