import { findConfigs } from '../code/find-configs.ts'
import { readSources } from '../code/sources.ts'
import { defaultBasePath } from '../doctor/subject.ts'
import { createPainter } from '../painter.ts'
import { projectEnv, readEnvFiles } from '../project/env-files.ts'
import type { Project } from '../project/project.ts'
import { secretFile } from '../project/secret.ts'
import type { World } from '../world.ts'
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
    `3. Set in ${secretFile(world.cwd)}:`,
    ...variables,
    ...(notes.length > 0 ? ['', 'Good to know:', ...notes] : []),
    '',
  ].join('\n')
}

/** Where the provider sends people back to: on this machine, and where the site is. */
function callbackUrls(world: World, { id }: ProviderFacts, project: Project): readonly string[] {
  const env = projectEnv(readEnvFiles(world.cwd, 'production'), 'production', world.env)
  const [config] = findConfigs(readSources(world.cwd), env)
  const { basePath } = config?.options ?? {}
  const fallback = config
    ? defaultBasePath(config)
    : project.framework === 'next'
      ? '/api/auth'
      : '/auth'
  const path = typeof basePath === 'string' ? basePath : fallback
  const given = env['AUTH_URL'] ?? ''
  const site = URL.canParse(given) ? new URL(given) : null
  const fromUrl = site?.pathname.replace(/\/+$/, '')
  const origins = new Set([LOCAL, ...(site ? [site.origin] : [])])
  return [...origins].map(origin => `${origin}${fromUrl || path}/callback/${id}`)
}
