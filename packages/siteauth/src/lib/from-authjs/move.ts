import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, leftAlone, type Plan, planEach } from '../code/plan.ts'
import { openWorkspace, type Remark, type Workspace } from '../code/workspace.ts'
import { ownVersion } from '../own-version.ts'
import { leadsOutside } from '../project/contained.ts'
import { readEnvFiles } from '../project/env-files.ts'
import { listCode, readText } from '../project/files.ts'
import { installedVersion, readProject } from '../project/project.ts'
import { findRemarks } from './find-manual-steps.ts'
import { moveCalls } from './move-calls.ts'
import { moveHandler } from './move-handler.ts'
import { moveManifest, moveTsconfig } from './move-manifest.ts'
import { moveProxy } from './move-proxy.ts'
import { renameModules } from './rename-modules.ts'

/** Works out how a project moves from Auth.js, with those within it. Writes nothing. */
export function planMove(folder: string): Plan {
  return planEach(folder, planPackage)
}

function planPackage(folder: string): Plan {
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
  const named = [...listCode(folder), ...settingsOf(folder), 'package.json']
  for (const remark of leftAlone(folder, named, MENTION)) remarks.push(remark)
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

function majorOf(version: string | null): number {
  const [major = '0'] = version?.match(/\d+/) ?? []
  return Number(major)
}
