import { type FoundConfig, findConfigs } from '../code/find-configs.ts'
import { readSources, type Sources } from '../code/sources.ts'
import type { World } from '../environment.ts'
import { type EnvFile, type Mode, projectEnv, readEnvFiles } from '../project/env-files.ts'
import { type Project, readProject } from '../project/project.ts'
import { authVariables, readVariable } from './environment.ts'
import { type MadeProvider, makeProviders } from './make-providers.ts'

/** What is examined. */
export interface Subject {
  readonly world: World
  readonly project: Project
  readonly mode: Mode
  readonly isOffline: boolean
  readonly opensStore: boolean
  readonly envFiles: readonly EnvFile[]
  /** The variables of the project's files, and those of this machine that SiteAuth reads. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly sources: Sources
  readonly configs: readonly FoundConfig[]
  readonly providers: readonly MadeProvider[]
}

/** How the project is looked at. */
export interface Examination {
  readonly mode: Mode
  readonly isOffline: boolean
  /** Whether the database is opened, which runs code of the project. */
  readonly opensStore: boolean
}

/** Reads all that the checks ask for. None of the project's own code runs. */
export async function readSubject(world: World, examination: Examination): Promise<Subject> {
  const { mode } = examination
  const envFiles = readEnvFiles(world.cwd, mode)
  const env = projectEnv(envFiles, mode, authVariables(world.env))
  const sources = readSources(world.cwd, { followsLinks: false })
  const configs = findConfigs(sources, readVariable(env, world.env))
  return {
    world,
    ...examination,
    project: readProject(world.cwd),
    envFiles,
    env,
    sources,
    configs,
    providers: (await Promise.all(configs.map(config => makeProviders(config, env)))).flat(),
  }
}

/** Where a configuration is, for people to click on. */
export function placeOf({ source, line }: FoundConfig): string {
  return `${source.file}:${line}`
}
