import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { createPainter } from './colors.ts'
import type { AddTo } from './command.ts'
import { addCommand } from './commands/add.ts'
import { doctorCommand } from './commands/doctor.ts'
import { fromAuthjsCommand } from './commands/from-authjs.ts'
import { initCommand } from './commands/init.ts'
import { migrateCommand } from './commands/migrate.ts'
import { schemaCommand } from './commands/schema.ts'
import { secretCommand } from './commands/secret.ts'
import { tokenCommand } from './commands/token.ts'
import { upgradeCommand } from './commands/upgrade.ts'
import { CommandError, EXIT, type ExitCode, type World } from './environment.ts'
import { ownVersion } from './own-version.ts'

const COMMANDS: readonly AddTo[] = [
  initCommand,
  addCommand,
  secretCommand,
  doctorCommand,
  migrateCommand,
  schemaCommand,
  tokenCommand,
  fromAuthjsCommand,
  upgradeCommand,
]

const AFTER_HELP = `
Exit codes:
  0  all is well, or done
  1  it failed, or doctor found an error
  2  no such command or option
  3  something to look at: warnings, or changes that were only shown`

/** Runs one command, and answers what the process should exit with. */
export async function run(args: readonly string[], world: World): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok
  const program = new Command('siteauth')
    .description('Sets up SiteAuth in a project, checks it, and moves projects from Auth.js.')
    .version(ownVersion(), '-v, --version')
    .option('-C, --cwd <folder>', 'the project, if it is not this folder')
    .showHelpAfterError('Try: siteauth --help')
    .addHelpText('after', AFTER_HELP)
    .exitOverride()
    .configureOutput({
      writeOut: world.write,
      writeErr: world.tell,
      getOutHasColors: () => world.colours,
      getErrHasColors: () => world.colours,
    })
  const here: World = {
    ...world,
    get cwd() {
      return resolve(world.cwd, program.opts<{ cwd?: string }>().cwd ?? '')
    },
  }
  program.hook('preAction', () => {
    if (!isFolder(here.cwd)) throw new CommandError(`There is no folder ${here.cwd}.`)
  })
  for (const addTo of COMMANDS) {
    addTo(program, here, ended => {
      code = ended
    })
  }
  try {
    await program.parseAsync([...args], { from: 'user' })
    return code
  } catch (error) {
    return codeOf(error, world)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function codeOf(error: unknown, world: World): ExitCode {
  if (error instanceof CommanderError) {
    // Commander has said what is wrong; help and version are no mistakes.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  }
  const { red } = createPainter(world.colours)
  if (!(error instanceof CommandError)) {
    world.tell(`${red('Failed:')} ${messageOf(error)}\n`)
    return EXIT.error
  }
  if (error.message) world.tell(`${red('Stopped:')} ${error.message}\n`)
  return error.exitCode
}

/** Several attempts that all failed have a list of reasons, and no message. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return messageOf(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
