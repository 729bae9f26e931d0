import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readJson, readText } from './files.ts'

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** A project as its files describe it. */
export interface Project {
  readonly folder: string
  readonly hasManifest: boolean
  readonly framework: 'next' | 'express' | null
  readonly language: 'ts' | 'js'
  readonly modules: 'esm' | 'cjs'
  readonly packageManager: PackageManager
  readonly orm: 'prisma' | 'drizzle' | null
  /** Where sources are: `src/` or the folder itself. */
  readonly sources: 'src/' | ''
  /** Names of packages and the ranges that package.json has for them. */
  readonly dependencies: Readonly<Record<string, string>>
}

/** Finds out what a project is made of. */
export function readProject(folder: string): Project {
  const manifest = readJson(join(folder, 'package.json'))
  const dependencies = dependenciesOf(manifest)
  const has = (name: string) => name in dependencies
  const hasFile = (...names: string[]) => names.some(name => existsSync(join(folder, name)))
  const isNext = has('next') || hasFile('next.config.ts', 'next.config.js', 'next.config.mjs')
  return {
    folder,
    hasManifest: manifest !== null,
    framework: isNext ? 'next' : has('express') ? 'express' : null,
    language: hasFile('tsconfig.json') || has('typescript') || has('tsx') ? 'ts' : 'js',
    modules: manifest?.['type'] === 'module' ? 'esm' : 'cjs',
    packageManager: packageManagerOf(folder, manifest),
    orm:
      has('@prisma/client') || has('prisma') || hasFile('prisma/schema.prisma')
        ? 'prisma'
        : has('drizzle-orm')
          ? 'drizzle'
          : null,
    sources: isNext && hasFile('src/app', 'src/pages') ? 'src/' : '',
    dependencies,
  }
}

function dependenciesOf(manifest: Readonly<Record<string, unknown>> | null) {
  const all = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(key =>
    Object.entries(Object(manifest?.[key])),
  )
  return Object.fromEntries(all.map(([name, range]) => [name, String(range)]))
}

const LOCK_FILES: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
}

/** By what package.json says, or else the nearest lock file: in a workspace, it is further up. */
function packageManagerOf(
  folder: string,
  manifest: Readonly<Record<string, unknown>> | null,
): PackageManager {
  const [, configured] =
    /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.['packageManager'] ?? '')) ?? []
  if (configured) return configured as PackageManager // one of the four that the expression names
  for (let at = folder; ; at = dirname(at)) {
    for (const [file, manager] of Object.entries(LOCK_FILES)) {
      if (existsSync(join(at, file))) return manager
    }
    if (existsSync(join(at, '.git')) || dirname(at) === at) return 'npm'
  }
}

/** The command that adds packages to a project. */
export function installCommand(
  { packageManager }: Project,
  packages: readonly string[],
): readonly string[] {
  return packageManager === 'npm'
    ? ['npm', 'install', ...packages]
    : [packageManager, 'add', ...packages]
}

/** The version of an installed package, as Node would find it from the project; null if there is none. */
export function installedVersion(folder: string, name: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    const text = readText(join(at, 'node_modules', name, 'package.json'))
    if (text !== null) return String((JSON.parse(text) as { version?: unknown }).version)
    if (dirname(at) === at) return null
  }
}
