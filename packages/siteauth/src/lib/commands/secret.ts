import { resolve } from 'node:path'
import type { AddTo } from '../command.ts'
import { CommandError, EXIT, type World } from '../environment.ts'
import { copyVariable, readVariables, setVariable } from '../project/env-files.ts'
import { readText, writeText } from '../project/files.ts'
import { isIgnoredByGit, isTrackedByGit } from '../project/git.ts'
import {
  filesWithPlaceholder,
  fileWithSecret,
  hasOwnSecret,
  newSecret,
  replacePlaceholders,
  SECRET_VARIABLES,
  variablesFile,
} from '../project/secret.ts'

interface SecretOptions {
  readonly raw?: true
  readonly rotate?: true
  readonly file?: string
}

const HELP = `
Examples:
  $ siteauth secret                    writes AUTH_SECRET to .env.local or .env, also over a placeholder
  $ siteauth secret --rotate           a new one in front; sessions of the old one stay valid
  $ siteauth secret --raw | vercel env add AUTH_SECRET production`

export const secretCommand: AddTo = (program, world, done) => {
  program
    .command('secret')
    .description('make AUTH_SECRET, which encrypts cookies and tokens')
    .option('--raw', 'print it, and write nothing')
    .option('--rotate', 'put a new one in front, and keep the old ones for what they encrypted')
    .option('--file <file>', 'the file to write to')
    .addHelpText('after', HELP)
    .action(async (options: SecretOptions) => {
      if (options.raw) world.write(`${newSecret(world)}\n`)
      else await writeSecret(world, options)
      done(EXIT.ok)
    })
}

async function writeSecret(world: World, { rotate, file }: SecretOptions): Promise<void> {
  const holder = file ?? fileWithSecret(world.cwd)
  const name = holder ?? variablesFile(world.cwd)
  const before = readText(resolve(world.cwd, name)) ?? ''
  const hasSecret = hasOwnSecret(before)
  // A placeholder is known to everybody, so not even its sessions are worth keeping.
  const hasReplaced = await replaceIn(world, file ? [file] : filesWithPlaceholder(world.cwd), file)
  if (hasReplaced && !(hasSecret && rotate)) return
  const text = readText(resolve(world.cwd, name)) ?? ''
  if (hasSecret && !rotate) {
    throw new CommandError(
      `${name} has a secret already, and another would sign everybody out. ` +
        'Use --rotate to put a new one in front of it.',
    )
  }
  const { changed, about } = hasSecret
    ? rotated(text, readVariables(text), newSecret(world))
    : { changed: setVariable(text, 'AUTH_SECRET', newSecret(world)), about: 'AUTH_SECRET is set' }
  await writeVariables(world, { name, isNamed: file !== undefined, text: changed, about })
}

/** Replaces the placeholders in files. Answers whether there were any. */
async function replaceIn(
  world: World,
  names: readonly string[],
  file: string | undefined,
): Promise<boolean> {
  let hasReplaced = false
  for (const name of names) {
    const before = readText(resolve(world.cwd, name)) ?? ''
    const text = replacePlaceholders(before, newSecret(world))
    if (text === before) continue
    hasReplaced = true
    const about = hasOwnSecret(before)
      ? 'A placeholder, which everybody knows, was removed'
      : 'AUTH_SECRET was a placeholder, which everybody knows, and is new'
    await writeVariables(world, { name, isNamed: file !== undefined, text, about })
  }
  return hasReplaced
}

interface Written {
  readonly name: string
  readonly isNamed: boolean
  readonly text: string
  readonly about: string
}

async function writeVariables(
  world: World,
  { name, isNamed, text, about }: Written,
): Promise<void> {
  writeText({ folder: world.cwd, file: name, isNamed, text, mode: 0o600 })
  world.tell(`${about} in ${name}.\n`)
  await warnOfGit(world, name)
}

async function warnOfGit(world: World, name: string): Promise<void> {
  if (await isTrackedByGit(world, name)) {
    world.tell(
      `Git tracks ${name}, and would commit the secret: run git rm --cached ${name}, and add it to .gitignore.\n`,
    )
  } else if ((await isIgnoredByGit(world, name)) === false) {
    world.tell(`Git does not ignore ${name}: add it to .gitignore before you commit.\n`)
  }
}

interface Rotated {
  readonly changed: string
  readonly about: string
}

function rotated(
  text: string,
  variables: Readonly<Record<string, string>>,
  secret: string,
): Rotated {
  const own = SECRET_VARIABLES.filter(name => variables[name])
  // The old variable is read only where none of the new ones is set.
  const holders = own.length > 0 ? own : ['NEXTAUTH_SECRET']
  const previous = holders.slice(1 - SECRET_VARIABLES.length)
  const newest = SECRET_VARIABLES[previous.length] ?? 'AUTH_SECRET'
  const moved = previous.reduce((before, from, index) => {
    const to = SECRET_VARIABLES[index] ?? from
    return to === from ? before : copyVariable(text, from, to, before)
  }, text)
  const lost = holders.length >= SECRET_VARIABLES.length
  return {
    changed: setVariable(moved, newest, secret),
    about: lost
      ? `The secrets moved down by one and ${newest} is new; the oldest is gone, with what it encrypted,`
      : `${newest} is new, and encrypts from the next start on; the others still decrypt. It is set`,
  }
}
