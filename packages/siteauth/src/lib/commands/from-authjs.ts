import { createTwoFilesPatch } from 'diff'
import { createPainter, type Painter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { EXIT, Refusal, type World } from '../environment.ts'
import { type Move, planMove } from '../from-authjs/move.ts'
import type { Change } from '../from-authjs/workspace.ts'
import { removeFile, type StagedText, stageText } from '../project/files.ts'
import { hasUncommitted } from '../project/git.ts'
import { readProject } from '../project/project.ts'

const HELP = `
It changes imports of every kind, packages, the configuration of v4, the proxy and tsconfig, and says what
a person should look at. Commit first: then git diff shows what it did. A second run changes nothing.

Examples:
  $ siteauth from-authjs --dry-run    shows the changes as a diff, and exits with 3 if there are any
  $ siteauth from-authjs`

export const fromAuthjsCommand: AddTo = (program, world, done) => {
  program
    .command('from-authjs')
    .description('move a project from Auth.js, v5 or v4')
    .option('--dry-run', 'show the changes, and write nothing')
    .addHelpText('after', HELP)
    .action(async ({ dryRun }: { readonly dryRun?: true }) => {
      const painter = createPainter(world.colours)
      const move = planMove(world.cwd)
      if (move.changes.length === 0) {
        world.write('Nothing of Auth.js is left to move.\n')
        done(EXIT.ok)
        return
      }
      if (dryRun) {
        for (const change of move.changes) world.write(patchOf(change, painter))
        world.write(remarksOf(move, painter))
        done(EXIT.attention)
        return
      }
      if (await hasUncommitted(world)) {
        const question = 'Git has changes that are not committed, which these would be mixed with.'
        if (!world.asker) world.tell(`${question}\n`)
        else if (!(await world.asker.confirm(`${question} Go on?`))) throw new Refusal('')
      }
      apply(world, move)
      world.write(`${summaryOf(move, painter)}${remarksOf(move, painter)}`)
      const { packageManager } = readProject(world.cwd)
      world.write(`\nThen run ${packageManager} install, and the type checker.\n`)
      done(EXIT.ok)
    })
}

/**
 * All of it is on the disk before the first file changes, and nothing is removed before all is written.
 * Manifests come last: they say what the project was, if somebody stops this half way.
 */
function apply({ cwd }: World, { changes }: Move): void {
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

function summaryOf({ changes }: Move, { bold }: Painter): string {
  return changes
    .map(({ file, before, after }) => {
      const what = before === null ? 'written' : after === null ? 'removed' : 'changed'
      return `${what.padEnd(8)} ${bold(file)}\n`
    })
    .join('')
}

function remarksOf({ remarks }: Move, { bold, yellow }: Painter): string {
  if (remarks.length === 0) return ''
  const lines = remarks.map(({ where, what }) => `  ${bold(where)}\n    ${what}\n`)
  return `\n${yellow('Look at these yourself:')}\n${lines.join('')}`
}
