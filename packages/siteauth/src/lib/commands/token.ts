import { findSession } from '@siteauth/core/integration'
import { decode } from '@siteauth/core/jwt'
import { findConfigs } from '../code/find-configs.ts'
import { readSources } from '../code/sources.ts'
import type { AddTo } from '../command.ts'
import { createPainter } from '../painter.ts'
import { projectEnv, readEnvFiles } from '../project/env-files.ts'
import { SECRET_VARIABLES } from '../project/secret.ts'
import { EXIT, Refusal, type World } from '../world.ts'

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
      const input = (given ?? (await world.readInput())).trim()
      if (!input) throw new Refusal('There is no cookie: give it as an argument, or by a pipe.')
      const opened = await open(world, input, options)
      world.write(
        options.json ? `${JSON.stringify(opened.claims, hideTokens, 2)}\n` : inWords(opened, world),
      )
      done(EXIT.ok)
    })
}

/** A token, and what it was opened with. */
interface Opened {
  readonly claims: Readonly<Record<string, unknown>>
  readonly cookie: string
  readonly secret: string
}

const USUAL = ['__Secure-authjs.session-token', 'authjs.session-token']

async function open(world: World, input: string, options: TokenOptions): Promise<Opened> {
  const env = projectEnv(readEnvFiles(world.cwd, 'development'), 'development', world.env)
  const secrets = secretsOf(env)
  if (secrets.length === 0) {
    throw new Refusal('There is no AUTH_SECRET in the environment or in .env files of this folder.')
  }
  const written = writtenNames(world, env)
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
  throw new Refusal(explain(failure, names))
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

function secretsOf(env: Readonly<Record<string, string | undefined>>) {
  return ['NEXTAUTH_SECRET', ...SECRET_VARIABLES].reverse().flatMap(name => {
    const secret = env[name]
    return secret ? [{ name, secret }] : []
  })
}

/** What the configuration says about the cookie. */
function writtenNames(world: World, env: Readonly<Record<string, string | undefined>>) {
  const configs = findConfigs(readSources(world.cwd), env)
  const names = configs.flatMap(({ options: { cookies } }) => {
    const { sessionToken } = Object(cookies) as Record<string, unknown> // whatever was written
    const { name } = Object(sessionToken) as { name?: unknown }
    return typeof name === 'string' ? [name] : []
  })
  const [audience] = configs.flatMap(({ options: { session } }) => {
    const { audience: given } = Object(session) as { audience?: unknown }
    return typeof given === 'string' ? [given] : []
  })
  return { names: [...new Set(names)], audience }
}

function inWords({ claims, cookie, secret }: Opened, { colours, now }: World): string {
  const { bold, dim } = createPainter(colours)
  const { sub, name, email, picture, iat, exp, jti, ...others } = claims
  const row = (label: string, value: unknown) =>
    value === undefined || value === null ? [] : [`${bold(label.padEnd(10))} ${printable(value)}`]
  const rest = Object.entries(others).flatMap(([key, value]) => row(key, hideTokens(key, value)))
  return [
    `A session of ${printable(name ?? email ?? sub ?? 'somebody without a name')}, from the cookie ${cookie},`,
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

/** What opens doors elsewhere is not for the screen. */
function hideTokens(key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !/token|secret|password/i.test(key)) return value
  return `[hidden, ${value.length} characters]`
}

function printable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, hideTokens)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they could move the cursor
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
