import { newModuleName } from './module-names.ts'

/** Versions of adapters that go on from those of v4. */
const ADAPTER_VERSIONS: Readonly<Record<string, string>> = {
  '@auth/prisma-adapter': '^2.11.3',
  '@auth/drizzle-adapter': '^1.11.3',
  '@auth/pg-adapter': '^1.11.3',
  '@auth/kysely-adapter': '^1.11.2',
  '@auth/dynamodb-adapter': '^2.11.3',
  '@auth/unstorage-adapter': '^2.11.2',
}

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** A package.json with packages of Auth.js replaced. Packages that keep their names keep their versions. */
export function moveManifest(text: string, version: string): string {
  const manifest = JSON.parse(text) as Record<string, unknown> // whoever calls has read it before
  let isChanged = false
  for (const section of SECTIONS) {
    const packages = manifest[section]
    if (typeof packages !== 'object' || packages === null) continue
    const entries = Object.entries(packages).map(([name, range]): [string, unknown] => {
      const renamed = newModuleName(name)
      if (!renamed) return [name, range]
      isChanged = true
      const isOurs = renamed.startsWith('@siteauth/')
      return [renamed, isOurs ? `^${version}` : (ADAPTER_VERSIONS[renamed] ?? 'latest')]
    })
    // Code that names both next-auth and @auth/core would find only one of them otherwise.
    manifest[section] = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
  }
  if (!isChanged) return text
  const [, indent = '  '] = /^\{\r?\n([ \t]+)/.exec(text) ?? []
  return `${JSON.stringify(manifest, null, indent)}${text.endsWith('\n') ? '\n' : ''}`
}

/** A tsconfig.json, which may have comments, with names of packages replaced where it has any. */
export function moveTsconfig(text: string): string {
  return text.replaceAll(
    /"((?:next-auth|@auth\/(?:core|express))(?:\/[\w./-]*)?)"/g,
    (whole, name) => {
      const renamed = newModuleName(String(name))
      return renamed ? `"${renamed}"` : String(whole)
    },
  )
}
