import type { AddTo } from '../command.ts'
import { planMove } from '../from-authjs/move.ts'
import { readProject } from '../project/project.ts'
import { carryOut } from './carry-out.ts'

const HELP = `
It changes imports of every kind, in components as well, packages, the configuration of v4, the proxy and
tsconfig, and says what a person should look at: then it exits with 3. Commit first: then git diff shows what it did. A second run changes nothing.

Examples:
  $ siteauth from-authjs --dry-run    shows the changes as a diff, and exits with 3 if there are any
  $ siteauth from-authjs`

export const fromAuthjsCommand: AddTo = (program, world, done) => {
  program
    .command('from-authjs')
    .description('move a project from Auth.js, v5 or v4')
    .option('--dry-run', 'show the changes, and write nothing')
    .addHelpText('after', HELP)
    .action(async ({ dryRun = false }: { readonly dryRun?: boolean }) => {
      const code = await carryOut(world, planMove(world.cwd), {
        dryRun,
        nothing: 'Nothing of Auth.js is left to move.',
        next: () => {
          const { packageManager } = readProject(world.cwd)
          return `\nThen run ${packageManager} install, and the type checker.\n`
        },
      })
      done(code)
    })
}
