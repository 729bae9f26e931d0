import { createTwoFilesPatch } from 'diff'
import type { Plan } from '../code/plan.ts'
import type { Change } from '../code/workspace.ts'
import { createPainter, type Painter } from '../colors.ts'
import { CommandError, EXIT, type ExitCode, type World } from '../environment.ts'
import { removeFile, type StagedText, stageText } from '../project/files.ts'
import { hasUncommitted } from '../project/git.ts'

/** How a plan is carried out. */
interface CarryOut {
  readonly dryRun: boolean
  /** What is written if there is nothing to change, and nothing to look at, either. */
  readonly nothing: string
  /** What is written at the end. */
  readonly next: () => string
}

/** Changes the code of a project, or shows what it would change. */
export async function carryOut(
  world: World,
  plan: Plan,
  { dryRun, nothing, next }: CarryOut,
): Promise<ExitCode> {
  const painter = createPainter(world.colours)
  const outcome = plan.remarks.length > 0 ? EXIT.attention : EXIT.ok
  if (plan.changes.length === 0) {
    const what = outcome === EXIT.ok ? nothing : 'Nothing is left that this command can change.'
    world.write(`${what}\n${remarksOf(plan, painter)}`)
    return outcome
  }
  if (dryRun) {
    for (const change of plan.changes) world.write(patchOf(change, painter))
    world.write(remarksOf(plan, painter))
    return EXIT.attention
  }
  if (await hasUncommitted(world)) {
    const question = 'Git has changes that are not committed, which these would be mixed with.'
    if (!world.asker) world.tell(`${question}\n`)
    else if (!(await world.asker.confirm(`${question} Go on?`))) throw new CommandError('')
  }
  apply(world, plan)
  world.write(`${summaryOf(plan, painter)}${remarksOf(plan, painter)}`)
  world.write(next())
  return outcome
}

/**
 * All of it is on the disk before the first file changes, and nothing is removed before all is written.
 * Manifests come last: they say what the project was, if somebody stops this half way.
 */
function apply({ cwd }: World, { changes }: Plan): void {
  const code: StagedText[] = []
  const manifests: StagedText[] = []
  try {
    for (const { file, after } of changes) {
      const list = file.endsWith('package.json') ? manifests : code
      if (after !== null) list.push(stageText({ folder: cwd, file, text: after }))
    }
  } catch (error) {
    for (const each of [...code, ...manifests]) each.drop()
    throw error
  }
  for (const each of code) each.put()
  // Another run at the same time may have been faster.
  for (const { file, after } of changes) if (after === null) removeFile({ folder: cwd, file })
  for (const each of manifests) each.put()
}

function patchOf({ file, before, after }: Change, { dim, green, red }: Painter): string {
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${file}`,
    after === null ? '/dev/null' : `b/${file}`,
    before ?? '',
    after ?? '',
    undefined,
    undefined,
    { context: 2 },
  )
  return patch
    .replace(/^=+\n/, '')
    .split('\n')
    .map(line => {
      if (/^\+(?!\+\+)/.test(line)) return green(line)
      if (/^-(?!--)/.test(line)) return red(line)
      return line.startsWith('@@') ? dim(line) : line
    })
    .join('\n')
}

function summaryOf({ changes }: Plan, { bold }: Painter): string {
  return changes
    .map(({ file, before, after }) => {
      const what = before === null ? 'written' : after === null ? 'removed' : 'changed'
      return `${what.padEnd(8)} ${bold(file)}\n`
    })
    .join('')
}

function remarksOf({ remarks }: Plan, { bold, yellow }: Painter): string {
  if (remarks.length === 0) return ''
  const lines = remarks.map(({ where, what }) => `  ${bold(where)}\n    ${what}\n`)
  return `\n${yellow('Look at these yourself:')}\n${lines.join('')}`
}
