import { findSession } from '@siteauth/core/internal'
import { decode } from '@siteauth/core/jwt'
import { findConfigs } from '../code/find-configs.ts'
import { readSources } from '../code/sources.ts'
import { createPainter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { CommandError, EXIT, type World } from '../environment.ts'
import { printable } from '../printable.ts'
import { projectEnv, readEnvFiles } from '../project/env-files.ts'
import { SECRET_VARIABLES } from '../project/secret.ts'

interface TokenOptions {
  readonly name?: string
  readonly audience?: string
  readonly json?: true
}

const HELP = `
Give it the value of the cookie, or a whole Cookie header. Without an argument, it is read from the
standard input, which keeps it out of the history of your shell. What it finds stays on this machine.

Examples:
  $ pbpaste | siteauth token
  $ siteauth token --json < cookie.txt`

export const tokenCommand: AddTo = (program, world, done) => {
  program
    .command('token [cookie]')
    .description('open a session cookie with the secret of this project, and say what is in it')
    .option('--name <name>', 'the name of the cookie, if it is not the usual one')
    .option('--audience <audience>', 'session.audience, if your code does not say it')
    .option('--json', 'print the claims as JSON')
    .addHelpText('after', HELP)
    .action(async (given: string | undefined, options: TokenOptions) => {
      const input = cookieIn(given ?? (await world.readInput()))
      if (!input)
        throw new CommandError('There is no cookie: give it as an argument, or by a pipe.')
      const opened = await open(world, input, options)
      const claims = hideTokens(opened.claims) as Opened['claims'] // an object stays one
      world.write(
        options.json
          ? `${JSON.stringify(claims, null, 2)}\n`
          : inWords({ ...opened, claims }, world),
      )
      done(EXIT.ok)
    })
}

/** What somebody copied, without the name of the header or quotes around it. */
function cookieIn(input: string): string {
  return input
    .trim()
    .replace(/^(?:set-)?cookie:\s*/i, '')
    .replace(/^(['"])(.*)\1$/s, '$2')
}

/** A token, and what it was opened with. */
interface Opened {
  readonly claims: Readonly<Record<string, unknown>>
  readonly cookie: string
  readonly secret: string
}

const USUAL = ['__Secure-authjs.session-token', 'authjs.session-token']

async function open(world: World, input: string, options: TokenOptions): Promise<Opened> {
  const written = readConfigs(world)
  const secrets = [...written.secrets, ...secretsOf(world)]
  if (secrets.length === 0) {
    throw new CommandError(
      'There is no AUTH_SECRET in the environment or in .env files of this folder.',
    )
  }
  const names = options.name ? [options.name] : [...written.names, ...USUAL]
  const audience = options.audience ?? written.audience
  let failure = ''
  for (const cookie of names) {
    const token = findSession(input, cookie)?.token ?? (input.includes('=') ? null : input)
    if (!token) continue
    for (const { name, secret } of secrets) {
      const salt = audience ? `${audience} ${cookie}` : cookie
      try {
        const claims = await decode<Record<string, unknown>>({ token, salt, secret })
        if (claims) return { claims, cookie, secret: name }
      } catch (error) {
        const { message } = Object(error) as { message?: unknown } // what decode throws
        // That nobody has the key is the least that can be said.
        if (!failure || !/no matching/.test(String(message))) failure = String(message)
      }
    }
  }
  throw new CommandError(explain(failure, names))
}

function explain(failure: string, names: readonly string[]): string {
  if (failure === '')
    return `There is no cookie ${names.join(' or ')} in what was given. See --name.`
  if (/no matching/.test(failure)) {
    return (
      'None of the secrets here opens it: it was made with another secret, or for a cookie of another ' +
      'name (--name). With sessions in a database, the cookie is only the key of a row.'
    )
  }
  if (/malformed/.test(failure)) {
    return 'It is no encrypted token. With sessions in a database, the cookie is only the key of a row.'
  }
  return `It was not opened: ${failure}.`
}

interface NamedSecret {
  readonly name: string
  readonly secret: string
}

/** The secrets in variables: as on this machine first, then as it is deployed. */
function secretsOf({ cwd, env }: World): readonly NamedSecret[] {
  return (['development', 'production'] as const).flatMap(mode => {
    const found = projectEnv(readEnvFiles(cwd, mode), mode, env)
    return ['NEXTAUTH_SECRET', ...SECRET_VARIABLES].reverse().flatMap(name => {
      const secret = found[name]
      return secret ? [{ name, secret }] : []
    })
  })
}

/** What the configuration says about the cookie. */
function readConfigs({ cwd, env: own }: World) {
  const env = projectEnv(readEnvFiles(cwd, 'development'), 'development', own)
  const configs = findConfigs(readSources(cwd), name => env[name])
  const names = configs.flatMap(({ options: { cookies } }) => {
    const { sessionToken } = Object(cookies) as Record<string, unknown> // whatever was written
    const { name } = Object(sessionToken) as { name?: unknown }
    return typeof name === 'string' ? [name] : []
  })
  const [audience] = configs.flatMap(({ options: { session } }) => {
    const { audience: given } = Object(session) as { audience?: unknown }
    return typeof given === 'string' ? [given] : []
  })
  const secrets = configs.flatMap(config =>
    [config.options['secret']]
      .flat()
      .filter(secret => typeof secret === 'string' && secret !== '')
      .map(secret => ({ name: `secret in ${config.source.file}`, secret: String(secret) })),
  )
  return { names: [...new Set(names)], audience, secrets }
}

function inWords({ claims, cookie, secret }: Opened, { colours, now }: World): string {
  const { bold, dim } = createPainter(colours)
  const { sub, name, email, picture, iat, exp, jti, ...others } = claims
  const row = (label: string, value: unknown) =>
    value === undefined || value === null
      ? []
      : [`${bold(printable(label).padEnd(10))} ${inText(value)}`]
  const rest = Object.entries(others).flatMap(([key, value]) => row(key, value))
  return [
    `A session of ${inText(name ?? email ?? sub ?? 'somebody without a name')}, from the cookie ${cookie},`,
    `opened with ${secret}.`,
    '',
    ...row('user', sub),
    ...row('name', name),
    ...row('email', email),
    ...row('picture', picture),
    ...row('issued', momentOf(iat, now())),
    ...row('expires', momentOf(exp, now())),
    ...row('token id', jti),
    ...(rest.length > 0 ? ['', dim('Put in by callbacks, or by the library:'), ...rest] : []),
    '',
  ].join('\n')
}

/** A time in seconds, as a date and how far away it is. */
function momentOf(seconds: unknown, now: number): string | undefined {
  if (typeof seconds !== 'number') return undefined
  const distance = seconds * 1000 - now
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
    ['second', 1000],
  ] as const
  const [unit, length] = units.find(([, size]) => Math.abs(distance) >= size) ?? units[3]
  const words = new Intl.RelativeTimeFormat('en').format(Math.round(distance / length), unit)
  return `${new Date(seconds * 1000).toISOString()} (${words})`
}

const SECRET_NAME = /token|secret|password|credential|api_?key|dpop|private|verifier/i
const TOKEN_VALUE = /^(?:eyJ[\w-]+\.|gh[a-z]_|github_pat_|ya29\.|xox[a-z]-|sk[-_])/

/** What opens doors elsewhere is not for the screen, however deep it is. */
function hideTokens(value: unknown, isSecret = false): unknown {
  if (typeof value === 'string') {
    const isHidden = isSecret || TOKEN_VALUE.test(value)
    return isHidden ? `[hidden, ${value.length} characters]` : value
  }
  if (Array.isArray(value)) return value.map(each => hideTokens(each, isSecret))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      hideTokens(each, isSecret || SECRET_NAME.test(key)),
    ]),
  )
}

function inText(value: unknown): string {
  return printable(typeof value === 'string' ? value : JSON.stringify(value))
}
