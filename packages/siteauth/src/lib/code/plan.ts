import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { leadsOutside } from '../project/contained.ts'
import { listPackages } from '../project/files.ts'
import { isComponent, parseComponent } from './component.ts'
import { parseSource, readCode } from './source.ts'
import type { Change, Remark } from './workspace.ts'

/** What a command would change about the code of a project, or has changed. */
export interface Plan {
  readonly changes: readonly Change[]
  readonly remarks: readonly Remark[]
}

/** The plans for a project and for those within it, as one. */
export function planEach(folder: string, plan: (folder: string) => Plan): Plan {
  const plans = ['', ...listPackages(folder)].map(inner => {
    const { changes, remarks } = plan(join(folder, inner))
    const named = (file: string) => (inner ? `${inner}/${file}` : file)
    return {
      changes: changes.map(change => ({ ...change, file: named(change.file) })),
      remarks: remarks.map(remark => ({ ...remark, where: named(remark.where) })),
    }
  })
  return {
    changes: plans.flatMap(({ changes }) => changes),
    remarks: plans.flatMap(({ remarks }) => remarks),
  }
}

/** Files whose text has something to change, and that are not changed. */
export function leftAlone(
  folder: string,
  files: readonly string[],
  mention: RegExp,
): readonly Remark[] {
  return files.flatMap(file => {
    const path = join(folder, file)
    // A link may lead nowhere.
    if (!existsSync(path)) return []
    const isLink = lstatSync(path).isSymbolicLink()
    const isText = readCode(path) !== null
    if (!isLink && isText) return []
    if (!mention.test(readFileSync(path, 'latin1'))) return []
    if (!isText) return [{ where: file, what: 'It is not UTF-8, and was left as it is.' }]
    if (!leadsOutside(folder, file)) return []
    return [{ where: file, what: 'It is a link out of this project, and was left as it is.' }]
  })
}

/** A mistake of ours should not become one of the project. */
export function assertSound(changes: readonly Change[]): void {
  for (const { file, before, after } of changes) {
    if (after === null || !CODE.test(file)) continue
    const parse = isComponent(file) ? parseComponent : parseSource
    const was = before === null || parse(file, before) !== null
    if (was && !parse(file, after)) {
      throw new Error(
        `${file} would not parse afterwards, so nothing was changed. Please report this, with the file.`,
      )
    }
  }
}

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/
