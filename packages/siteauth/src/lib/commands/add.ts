import { join } from 'node:path'
import { addToList, findList } from '../add/add-to-list.ts'
import { CATALOGUE } from '../add/catalogue.ts'
import { chooseProvider } from '../add/choose-provider.ts'
import { instructions } from '../add/instructions.ts'
import type { ProviderFacts } from '../add/provider-facts.ts'
import { providerVariables } from '../add/provider-variables.ts'
import { searchProviders } from '../add/search.ts'
import { parseSource } from '../code/source.ts'
import { readSources } from '../code/sources.ts'
import { createPainter } from '../colors.ts'
import type { AddTo } from '../command.ts'
import { EXIT, type ExitCode, type World } from '../environment.ts'
import { fileWith, readVariables, setVariable } from '../project/env-files.ts'
import { readText, writeText } from '../project/files.ts'
import { readProject } from '../project/project.ts'
import { variablesFile } from '../project/secret.ts'

const HELP = `
Examples:
  $ siteauth add                  choose one
  $ siteauth add google
  $ siteauth add --list cloud     those with "cloud" in their name`

export const addCommand: AddTo = (program, world, done) => {
  program
    .command('add [provider]')
    .description('add a way to sign in: import, list entry, variables, and what to register')
    .option('--list', 'only list the providers that fit')
    .addHelpText('after', HELP)
    .action(async (wanted: string | undefined, { list }: { list?: true }) => {
      done(list ? listProviders(world, wanted) : await add(world, wanted ?? null))
    })
}

function listProviders(world: World, wanted = ''): ExitCode {
  const found = wanted ? searchProviders(CATALOGUE, wanted) : CATALOGUE
  const { dim } = createPainter(world.colours)
  for (const { module, title, status } of found) {
    world.write(`${module.padEnd(24)} ${title}${status ? dim(` (${status})`) : ''}\n`)
  }
  return found.length > 0 ? EXIT.ok : EXIT.attention
}

async function add(world: World, wanted: string | null): Promise<ExitCode> {
  const provider = await chooseProvider(world, wanted)
  const project = readProject(world.cwd)
  if (provider.status === 'closed' || provider.status === 'deprecated') {
    world.tell(`${provider.title} is ${provider.status}. ${provider.instead ?? ''}\n`)
  }
  const isListed = addToCode(world, provider)
  addVariables(world, provider)
  world.tell(`\n${instructions(world, provider, project)}`)
  return isListed ? EXIT.ok : EXIT.attention
}

function addToCode(world: World, provider: ProviderFacts): boolean {
  const found = findList(readSources(world.cwd))
  if (!found) {
    world.tell(
      `There is no list of providers in this project's code. Write it where the configuration is:\n` +
        `    import ${provider.name} from '@siteauth/core/providers/${provider.module}'\n` +
        `    providers: [${provider.name}]\n`,
    )
    return false
  }
  const changed = addToList(found, provider)
  if (changed === null) {
    world.tell(`${'unchanged'.padEnd(9)} ${found.source.file}\n`)
    return true
  }
  if (!parseSource(found.source.file, changed)) {
    throw new Error(
      `${found.source.file} would not parse afterwards, so it was not changed. Please report this, with the file.`,
    )
  }
  writeText({ folder: world.cwd, file: found.source.file, text: changed })
  world.tell(`${'written'.padEnd(9)} ${found.source.file}\n`)
  return true
}

function addVariables(world: World, provider: ProviderFacts): void {
  const name = variablesFile(world.cwd)
  const before = readText(join(world.cwd, name)) ?? ''
  const existing = readVariables(before)
  const after = providerVariables(provider)
    // An empty one would hide what another file says.
    .filter(variable => !(variable.name in existing) && !fileWith(world.cwd, [variable.name]))
    .reduce((text, variable) => setVariable(text, variable.name, ''), before)
  if (after === before) return
  writeText({ folder: world.cwd, file: name, text: after, mode: 0o600 })
  world.tell(`${'written'.padEnd(9)} ${name}\n`)
}
