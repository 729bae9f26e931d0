import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { entriesOf } from '../../../../tools/api-report.mjs'
import { openDeclarations } from '../../../../tools/declarations.mjs'
import { listPackages, listProviders } from '../../../../tools/workspace.mjs'
// The names that packages publish which are not installed here, as they were read from their declarations.
import older from './older-names.json' with { type: 'json' }

const declarations = openDeclarations()

/** What cannot be imported from us under the name that it had, and why. */
const LEFT_OUT = [
  // The state of the old client, marked as internal there. There is no such state any more.
  'next-auth/react __NEXTAUTH',
  // Components have to be compiled by the Svelte of the application; a form of a few lines does the same.
  '@auth/sveltekit/components cannot be imported',
  // For React there is `@siteauth/react`, and a script for other pages.
  '@auth/sveltekit/webauthn cannot be imported',
  '@hono/auth-js/react cannot be imported',
]

/** The files that a package can be imported by: the sources of ours, the declarations of others. */
type Entries = ReadonlyMap<string, string>

function ownEntries(name: string): Entries {
  const pkg = listPackages().find(each => each.name === name)
  const exported: Readonly<Record<string, { default?: string }>> = pkg?.manifest.exports ?? {}
  const files = Object.entries(exported).flatMap(([key, target]): [string, string][] => {
    const file = target.default?.replace('./dist/', './src/').replace(/js$/, 'ts')
    if (!pkg || !file) return []
    // Packages that have no providers of their own pass on those of core, as they are.
    const folder = existsSync(join(pkg.path, 'src/providers')) ? pkg.path : corePath()
    const stars: readonly string[] = key.includes('*') ? listProviders() : ['']
    return stars.map(star => [
      key.replace('*', star),
      join(star ? folder : pkg.path, file.replace('*', star)),
    ])
  })
  return new Map(files)
}

function corePath(): string {
  return listPackages().find(each => each.name === '@siteauth/core')?.path ?? ''
}

function authCoreEntries(): Entries {
  const name = '@auth/core'
  const path = dirname(createRequire(import.meta.url).resolve(name))
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'))
  const entries: readonly { name: string; file: string }[] = entriesOf({ name, manifest }, path)
  return new Map(entries.map(each => [`.${each.name.slice(name.length)}`, each.file]))
}

/** Everything that a module exports, types and values, also what it passes on of our other packages. */
function namesOf(file: string): readonly string[] {
  const own: readonly string[] = declarations.exportedNames(file)
  const stars: readonly { source: string }[] = declarations.read(file).stars
  const passedOn = stars.flatMap(({ source }) => {
    const [, name = '', rest = ''] = /^(@siteauth\/\w+)(.*)$/.exec(source) ?? []
    const target = ownEntries(name).get(`.${rest}`)
    return target ? namesOf(target).filter(each => each !== 'default') : []
  })
  return [...own, ...passedOn]
}

/** What the older package has and ours does not, each with the sub-path that it is missing from. */
function missing(
  from: string,
  wanted: Iterable<readonly [string, readonly string[]]>,
  own: Entries,
): string[] {
  return [...wanted].flatMap(([key, names]) => {
    const path = join(from, key)
    const file = own.get(key)
    if (!file) return [`${path} cannot be imported`]
    const there = namesOf(file)
    return names.filter(name => !there.includes(name)).map(name => `${path} ${name}`)
  })
}

describe('Every name and sub-path', () => {
  it('of @auth/core is there, types as well as values', () => {
    const theirs = [...authCoreEntries()].map(([key, file]) => [key, namesOf(file)] as const)
    expect(theirs.length).toBeGreaterThan(100)
    expect(missing('@auth/core', theirs, ownEntries('@siteauth/core'))).toEqual([])
  })

  it.each([
    ['next-auth', older['next-auth'], '@siteauth/next'],
    ['@auth/express', older['@auth/express'], '@siteauth/express'],
    ['@auth/sveltekit', older['@auth/sveltekit'], '@siteauth/sveltekit'],
    ['@hono/auth-js', older['@hono/auth-js'], '@siteauth/hono'],
  ])('of %s is there, types as well as values', (from, { names, providers }, to) => {
    const own = ownEntries(to)
    const wanted: [string, readonly string[]][] = Object.entries(names)
    const paths = providers.map(each => [`./providers/${each}`, []] as const)
    expect(missing(from, [...wanted, ...paths], own).sort()).toEqual(
      LEFT_OUT.filter(each => each.startsWith(`${from}/`)),
    )
  })
})
