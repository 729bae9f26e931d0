import { publicPath, siteUrl } from '../code/endpoint-paths.ts'
import { findConfigs } from '../code/find-configs.ts'
import { readSources } from '../code/sources.ts'
import { createPainter } from '../colors.ts'
import type { World } from '../environment.ts'
import { projectEnv, readEnvFiles } from '../project/env-files.ts'
import type { Project } from '../project/project.ts'
import { variablesFile } from '../project/secret.ts'
import type { ProviderFacts } from './provider-facts.ts'
import { providerVariables } from './provider-variables.ts'

const LOCAL = 'http://localhost:3000'

/** What somebody has to do at the provider, in words. */
export function instructions(world: World, provider: ProviderFacts, project: Project): string {
  const { bold, cyan } = createPainter(world.colours)
  const variables = providerVariables(provider).map(
    ({ name, meaning }) => `     ${bold(name)}  ${meaning}`,
  )
  const notes = provider.notes?.map(note => `   - ${note}`) ?? []
  return [
    `1. Register an application at ${provider.title}: ${cyan(provider.docs)}`,
    '2. Give it exactly these callback URLs:',
    ...callbackUrls(world, provider, project).map(url => `     ${bold(url)}`),
    `3. Set in ${variablesFile(world.cwd)}:`,
    ...variables,
    ...(notes.length > 0 ? ['', 'Good to know:', ...notes] : []),
    '',
  ].join('\n')
}

/** Where the provider sends people back to: on this machine, and where the site is. */
function callbackUrls(world: World, { id }: ProviderFacts, project: Project): readonly string[] {
  const env = projectEnv(readEnvFiles(world.cwd, 'production'), 'production', world.env)
  const [config] = findConfigs(readSources(world.cwd), name => env[name])
  const usual = project.framework === 'next' ? '/api/auth' : '/auth'
  const path = config ? publicPath(config, env) : usual
  const origins = new Set([LOCAL, siteUrl(env)?.origin ?? LOCAL])
  return [...origins].map(origin => `${origin}${path}/callback/${id}`)
}
