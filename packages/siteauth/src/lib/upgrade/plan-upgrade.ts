import { assertSound, leftAlone, type Plan, planEach } from '../code/plan.ts'
import type { Source } from '../code/source.ts'
import { openWorkspace, type Remark, type Workspace } from '../code/workspace.ts'
import { modulesIn } from '../from-authjs/rename-modules.ts'
import { listCode } from '../project/files.ts'
import { changeCalls } from './change-calls.ts'
import { FileEdit } from './file-edit.ts'
import { replaceFunctions } from './functions-to-methods.ts'
import { GROUPED_CALLS } from './grouped-calls.ts'
import type { NameTable } from './name-table.ts'
import { renameCodes } from './rename-codes.ts'
import { renameImports, renameMembers } from './rename-names.ts'
import { type FoundOptions, findOptions, renameFoundOptions } from './rename-options.ts'
import { openValues, type Values } from './values.ts'

/** The tables of all upgrades, the oldest first. */
const TABLES: readonly NameTable[] = [GROUPED_CALLS]

/** Works out how a project, with those within it, uses the names of this version. Writes nothing. */
export function planUpgrade(folder: string): Plan {
  return planEach(folder, planPackage)
}

function planPackage(folder: string): Plan {
  const workspace = openWorkspace(folder, { components: true })
  const remarks = TABLES.flatMap(table => applyTable(workspace, table))
  const changes = workspace.changes()
  assertSound(changes)
  const files = listCode(folder, { components: true })
  return { changes, remarks: [...remarks, ...leftAlone(folder, files, /@siteauth\//)] }
}

/** Nothing is written before all files were read: what a name stands for is told by the files as they were. */
function applyTable(workspace: Workspace, table: NameTable): readonly Remark[] {
  const values = openValues(workspace, table)
  const options = findOptions(workspace, table, values)
  const remarks: Remark[] = []
  const texts = new Map<string, string>()
  for (const file of workspace.files()) {
    const source = workspace.source(file)
    if (!source) {
      const isOurs = /@siteauth\//.test(workspace.read(file) ?? '')
      if (isOurs) remarks.push({ where: file, what: 'It cannot be parsed, and was left as it is.' })
      continue
    }
    const edited = upgradeFile(source, table, values, options)
    texts.set(file, edited.text)
    for (const remark of edited.remarks) remarks.push(remark)
  }
  for (const [file, text] of texts) workspace.write(file, text)
  return [...remarks, ...workspace.files().flatMap(file => findInText(workspace, file, table))]
}

function upgradeFile(source: Source, table: NameTable, values: Values, options: FoundOptions) {
  const file = new FileEdit(source, values.scopesOf(source))
  renameImports(file, table)
  renameMembers(file, table, values)
  changeCalls(file, table, values)
  replaceFunctions(file, table, values)
  renameFoundOptions(file, options)
  renameCodes(file, table)
  for (const { value, start, end } of modulesIn(source)) {
    const renamed = Object.hasOwn(table.modules, value) ? table.modules[value] : undefined
    if (renamed !== undefined) file.changed.overwrite(start, end, renamed)
  }
  return file.finish()
}

function findInText(workspace: Workspace, file: string, table: NameTable): readonly Remark[] {
  const text = workspace.read(file) ?? ''
  return table.remarks.flatMap(({ pattern, within, what }) => {
    const found = within.test(text) ? pattern.exec(text) : null
    if (!found) return []
    return [{ where: `${file}:${text.slice(0, found.index).split('\n').length}`, what }]
  })
}
