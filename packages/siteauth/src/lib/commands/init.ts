import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chooseProvider } from '../add/choose-provider.ts'
import { instructions } from '../add/instructions.ts'
import { providerVariables } from '../add/provider-variables.ts'
import { readSources } from '../code/sources.ts'
import { createPainter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { CommandError, EXIT, type ExitCode, type World } from '../environment.ts'
import { findClient } from '../init/find-client.ts'
import { findObstacle } from '../init/find-obstacle.ts'
import {
  adapterPackage,
  expressFiles,
  nextFiles,
  type Plan,
  type StoreChoice,
} from '../init/templates.ts'
import { fileWith, readVariables, setVariable } from '../project/env-files.ts'
import { readText, writeText } from '../project/files.ts'
import { isIgnoredByGit, isTrackedByGit } from '../project/git.ts'
import { installCommand, type Project, readProject } from '../project/project.ts'
import { fileWithSecret, newSecret, variablesFile } from '../project/secret.ts'
import { writeNew } from '../project/write-new.ts'

interface InitOptions {
  readonly yes?: true
  readonly framework?: string
  readonly provider?: string
  readonly install: boolean
  readonly store: boolean
}

const HELP = `
It finds Next or Express, TypeScript, ES modules, the package manager and Prisma or Drizzle by itself.
Files that exist are replaced only if you say so; with --yes they stay.

Examples:
  $ siteauth init
  $ siteauth init --yes --provider google
  $ siteauth init --yes --framework express --no-install`

export const initCommand: AddTo = (program, world, done) => {
  program
    .command('init')
    .description('set SiteAuth up in a Next or Express project')
    .option('-y, --yes', 'ask nothing: GitHub, unless --provider says otherwise')
    .option('--framework <name>', 'next or express, if package.json has neither')
    .option('--provider <name>', 'who people sign in with, such as google')
    .option('--no-install', 'install no packages, only say which')
    .option('--no-store', 'keep sessions in cookies, even if there is a database')
    .addHelpText('after', HELP)
    .action(async (options: InitOptions) => {
      done(await init(options.yes ? { ...world, cwd: world.cwd, asker: null } : world, options))
    })
}

async function init(world: World, options: InitOptions): Promise<ExitCode> {
  const project = await findFramework(world, options)
  const provider = await chooseProvider(world, options.provider ?? (world.asker ? null : 'github'))
  const store = options.store ? await chooseStore(world, project) : null
  const plan: Plan = { project, provider, store }
  const isComplete = await writeFiles(world, plan)
  await prepareEnv(world, plan)
  if (hasServer(world.cwd) && project.framework === 'express') world.tell(MOUNT)
  await install(world, options, plan)
  world.tell(`\n${instructions(world, provider, project)}`)
  if (store) world.tell(`\nThen bring the database up to date: npx siteauth schema ${store.orm}\n`)
  return isComplete ? EXIT.ok : EXIT.attention
}

/** Answers whether all of them are in place. */
async function writeFiles(world: World, plan: Plan): Promise<boolean> {
  const { bold, dim } = createPainter(world.colours)
  const { files } = readSources(world.cwd)
  let isComplete = true
  let isOurs = true
  for (const { path, text } of filesOf(plan)) {
    const obstacle = findObstacle(path, files)
    // What imports the configuration would not find it in a file of another kind.
    const isInTheWay = obstacle !== null || !isOurs
    const written = isInTheWay ? 'kept' : await writeNew(world, { path, text })
    if (isInTheWay && readText(join(world.cwd, path)) === null) {
      world.tell(
        `${'left out'.padEnd(9)} ${bold(path)}${obstacle ? `: there is ${obstacle}` : ''}\n`,
      )
    } else world.tell(`${written.padEnd(9)} ${bold(path)}\n`)
    if (written !== 'kept') continue
    isComplete = false
    isOurs &&= /@siteauth\//.test(readText(join(world.cwd, obstacle ?? path)) ?? '')
    world.tell(`${dim('It would have been:')}\n${text.replaceAll(/^/gm, '    ')}\n`)
  }
  return isComplete
}

const MOUNT = `
Mount the endpoints in your server, before your own routes:
    app.use('/auth', auth.handler)
`

async function findFramework(world: World, { framework }: InitOptions): Promise<Project> {
  const project = readProject(world.cwd)
  if (!project.hasManifest) {
    throw new CommandError(
      'There is no package.json here. Begin with npx create-next-app, or npm init and npm install express.',
    )
  }
  const old = ['next-auth', '@auth/express'].find(name => name in project.dependencies)
  if (old) {
    throw new CommandError(
      `This project has ${old}. Move it with npx siteauth from-authjs, or uninstall that first.`,
    )
  }
  const chosen =
    framework ??
    project.framework ??
    (await world.asker?.choose('What is it made with?', [
      { value: 'next', label: 'Next.js' },
      { value: 'express', label: 'Express' },
    ]))
  if (chosen === 'next' || chosen === 'express') return { ...project, framework: chosen }
  throw new CommandError(
    'package.json has neither next nor express. Say which it is with --framework. ' +
      'For another server, read the guide "Any other server".',
  )
}

async function chooseStore(world: World, project: Project): Promise<StoreChoice | null> {
  const client = findClient(project, readSources(world.cwd))
  if (!client || project.framework !== 'next') return null
  const { orm } = client
  const isWanted = world.asker ? await world.asker.confirm(`Store users by ${orm}?`) : true
  return isWanted ? client : null
}

function filesOf(plan: Plan) {
  if (plan.project.framework === 'next') return nextFiles(plan)
  return expressFiles(plan, { hasServer: hasServer(plan.project.folder) })
}

/** Whether there is a server that is not of our making. */
function hasServer(folder: string): boolean {
  const names = ['server', 'app', 'index', 'main', 'src/server', 'src/app', 'src/index', 'src/main']
  return names
    .flatMap(name => ['ts', 'js', 'mjs', 'cjs'].map(extension => `${name}.${extension}`))
    .filter(file => existsSync(join(folder, file)))
    .some(file => !readText(join(folder, file))?.includes('the endpoints and their pages'))
}

/** A secret, and the variables of the provider, empty. What is set anywhere stays as it is. */
async function prepareEnv(world: World, { project, provider }: Plan): Promise<void> {
  const name = variablesFile(world.cwd)
  const before = readText(join(world.cwd, name)) ?? ''
  const variables = readVariables(before)
  const secret = fileWithSecret(world.cwd) ? {} : { AUTH_SECRET: newSecret(world) }
  const others = {
    ...(project.framework === 'express' && { NODE_ENV: 'development' }),
    ...Object.fromEntries(providerVariables(provider).map(variable => [variable.name, ''])),
  }
  const wanted = Object.entries(others)
    // An empty one would hide what another file says.
    .filter(([variable]) => !(variable in variables) && !fileWith(world.cwd, [variable]))
  const after = [...Object.entries(secret), ...wanted].reduce(
    (text, [variable, value]) => setVariable(text, variable, value),
    before,
  )
  if (after === before) return
  writeText({ folder: world.cwd, file: name, text: after, mode: 0o600 })
  world.tell(`${'written'.padEnd(9)} ${name}\n`)
  await ignoreInGit(world, name)
}

async function ignoreInGit(world: World, name: string): Promise<void> {
  const { cwd } = world
  if ((await isIgnoredByGit(world, name)) !== false) return
  const text = readText(join(cwd, '.gitignore')) ?? ''
  // Git asks what is ignored only of files that it does not track.
  if (!text.split(/\r?\n/).includes(name)) {
    const lineBreak = text === '' || text.endsWith('\n') ? '' : '\n'
    writeText({ folder: cwd, file: '.gitignore', text: `${text}${lineBreak}${name}\n` })
    world.tell(`${'written'.padEnd(9)} .gitignore, so that nobody commits ${name}\n`)
  }
  if (await isTrackedByGit(world, name)) {
    world.tell(`Git tracks ${name}, and would commit the secret: run git rm --cached ${name}\n`)
  }
}

async function install(
  world: World,
  options: InitOptions,
  { project, store }: Plan,
): Promise<void> {
  const wanted = [
    `@siteauth/${project.framework}`,
    '@siteauth/core',
    ...(project.framework === 'express' ? ['express'] : []),
    ...(store ? [adapterPackage(store)] : []),
  ].filter(name => !(name in project.dependencies))
  if (wanted.length === 0) return
  const command = installCommand(project, wanted)
  if (!options.install) {
    world.tell(`\nInstall: ${command.join(' ')}\n`)
    return
  }
  world.tell(`\n$ ${command.join(' ')} …\n`)
  const { status, output } = await world.start(command, world.cwd)
  if (status === 0) return
  world.tell(output)
  throw new CommandError(
    `The files are written, but the packages could not be installed. Run: ${command.join(' ')}`,
  )
}
