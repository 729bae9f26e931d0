import type { AddTo } from '../command.ts'
import { planUpgrade } from '../upgrade/plan-upgrade.ts'
import { carryOut } from './carry-out.ts'

const HELP = `
It renames calls, options, types, codes and entries that are called otherwise than in an earlier version, and
says what a person should look at: then it exits with 3. Commit first: then git diff shows what it did. A second run changes nothing.

Examples:
  $ siteauth upgrade --dry-run    shows the changes as a diff, and exits with 3 if there are any
  $ siteauth upgrade`

export const upgradeCommand: AddTo = (program, world, done) => {
  program
    .command('upgrade')
    .description('move the code of a project to the names of this version')
    .option('--dry-run', 'show the changes, and write nothing')
    .addHelpText('after', HELP)
    .action(async ({ dryRun = false }: { readonly dryRun?: boolean }) => {
      const code = await carryOut(world, planUpgrade(world.cwd), {
        dryRun,
        nothing: 'No name of an earlier version is left.',
        next: () => '\nThen run the formatter and the type checker.\n',
      })
      done(code)
    })
}
