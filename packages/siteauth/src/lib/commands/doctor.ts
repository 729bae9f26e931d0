import { createPainter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { type Diagnosis, examine } from '../doctor/examine.ts'
import type { Finding } from '../doctor/finding.ts'
import { EXIT, type ExitCode, type World } from '../environment.ts'
import { printable } from '../printable.ts'

interface DoctorOptions {
  readonly production?: true
  readonly offline?: true
  readonly store?: true
  readonly json?: true
}

const HELP = `
Exit code: 1 if there is an error, 3 if there are only warnings, else 0.

Examples:
  $ siteauth doctor                    as on a developer's machine
  $ siteauth doctor --production       as it is deployed: with .env.production, and NODE_ENV=production
  $ siteauth doctor --store            also whether the database has its tables
  $ siteauth doctor --json --offline   for a script, without asking providers`

const ASKING =
  'Asking providers … With --store, the database as well, which runs code of the project.\n'

export const doctorCommand: AddTo = (program, world, done) => {
  program
    .command('doctor')
    .description('find what is wrong with a project, and say what to do about it')
    .option('--production', 'look at it as it is deployed')
    .option('--offline', 'send no requests: ask neither providers nor the database')
    .option('--store', 'open the database as well, which runs code of the project')
    .option('--json', 'print the findings as JSON')
    .addHelpText('after', HELP)
    .action(async ({ production, offline, store, json }: DoctorOptions) => {
      if (!json && !offline) world.tell(store ? 'Asking providers and the database …\n' : ASKING)
      const diagnosis = await examine(world, {
        mode: production ? 'production' : 'development',
        isOffline: offline ?? false,
        opensStore: store ?? false,
      })
      world.write(json ? `${JSON.stringify(diagnosis, null, 2)}\n` : inWords(diagnosis, world))
      done(codeFor(diagnosis))
    })
}

function codeFor({ findings }: Diagnosis): ExitCode {
  if (findings.some(({ severity }) => severity === 'error')) return EXIT.error
  return findings.length > 0 ? EXIT.attention : EXIT.ok
}

function inWords({ findings }: Diagnosis, { colours }: World): string {
  const { bold, dim, green, red, yellow } = createPainter(colours)
  if (findings.length === 0) return `${green('Nothing is wrong.')}\n`
  const blocks = findings.map(({ severity, code, what, cure, where }: Finding) => {
    const label = severity === 'error' ? red('error') : yellow('warning')
    const place = where ? dim(` ${printable(where)}`) : ''
    // Some of it is what a provider said.
    return `${label} ${bold(code)}${place}\n  ${printable(what)}\n  ${green('→')} ${printable(cure)}\n`
  })
  const errors = findings.filter(({ severity }) => severity === 'error').length
  const warnings = findings.length - errors
  return `${blocks.join('\n')}\n${counted(errors, 'error')}, ${counted(warnings, 'warning')}.\n`
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
