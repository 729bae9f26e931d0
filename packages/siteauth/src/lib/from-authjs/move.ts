import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, leftAlone, type Plan, planEach } from '../code/plan.ts'
import { openWorkspace, type Remark, type Workspace } from '../code/workspace.ts'
import { ownVersion } from '../own-version.ts'
import { leadsOutside } from '../project/contained.ts'
import { readEnvFiles } from '../project/env-files.ts'
import { listCode, readText } from '../project/files.ts'
import { installedVersion, readProject } from '../project/project.ts'
import { findGoneNames, findLeftovers, findUses } from './find-leftovers.ts'
import { findRemarks } from './find-manual-steps.ts'
import { MENTION, newModuleName } from './module-names.ts'
import { moveCalls } from './move-calls.ts'
import { moveHandler } from './move-handler.ts'
import { moveManifest, moveTsconfig } from './move-manifest.ts'
import { moveProxy } from './move-proxy.ts'
import { allModulesIn, renameModules } from './rename-modules.ts'

/** Works out how a project moves from Auth.js, with those within it. Writes nothing. */
export function planMove(folder: string): Plan {
  return planEach(folder, planPackage)
}

function planPackage(folder: string): Plan {
  const { dependencies } = readProject(folder)
  const workspace = openWorkspace(folder, { components: true })
  const remarks: Remark[] = []
  const nextVersion = dependencies['next'] ?? installedVersion(folder, 'next')
  const mentions = workspace.files().filter(file => MENTION.test(workspace.read(file) ?? ''))
  const isV4 = isOfV4(folder, dependencies['next-auth'], workspace, mentions)

  if (isV4) moveCalls(workspace, moveHandler(workspace, remarks), remarks)
  if (dependencies['next-auth'] || mentions.length > 0) {
    moveProxy(workspace, majorOf(nextVersion), remarks)
  }
  for (const remark of findGoneNames(workspace)) remarks.push(remark)
  const imported = renameAll(workspace)
  const named = [...listCode(folder, { components: true }), ...settingsOf(folder), 'package.json']
  for (const remark of leftAlone(folder, named, MENTION)) remarks.push(remark)
  const text = (file: string) => (leadsOutside(folder, file) ? null : readText(join(folder, file)))
  for (const file of settingsOf(folder)) {
    const settings = text(file)
    if (settings !== null) workspace.write(file, moveTsconfig(settings))
  }
  const manifest = text('package.json')
  if (manifest !== null) {
    const moved = moveManifest(manifest, { version: ownVersion(), imported })
    workspace.write('package.json', moved.text)
    for (const remark of moved.remarks) remarks.push(remark)
    for (const remark of findUses(workspace, moved.raised)) remarks.push(remark)
  }
  // What is left is said each time, so that no run calls a project moved that is not.
  const settings = ['package.json', 'pnpm-workspace.yaml', ...settingsOf(folder)]
  const left = findLeftovers(
    workspace,
    settings.filter(file => !leadsOutside(folder, file)),
  )
  const changes = workspace.changes()
  if (changes.length === 0) return { changes, remarks: [...remarks, ...left] }
  assertSound(changes)
  const env = Object.assign({}, ...readEnvFiles(folder, 'production').map(each => each.variables))
  const manual = findRemarks(workspace, { isV4, nextVersion, env })
  return { changes, remarks: [...remarks, ...left, ...manual] }
}

/** Renames modules in every file. Returns the packages of ours that are imported under their new names. */
function renameAll(workspace: Workspace): ReadonlySet<string> {
  const imported = new Set<string>()
  for (const file of workspace.files()) {
    if (!MENTION.test(workspace.read(file) ?? '')) continue
    const source = workspace.source(file)
    if (!source) continue
    for (const { value } of allModulesIn(source)) {
      const [, name] = /^(@siteauth\/[\w-]+)/.exec(newModuleName(value) ?? '') ?? []
      if (name) imported.add(name)
    }
    workspace.write(file, renameModules(source))
  }
  return imported
}

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
