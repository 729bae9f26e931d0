import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PARTS } from './bundle-parts.mjs'
import { listPackages } from './workspace.mjs'

it('every part of a bundle names modules that exist', () => {
  const packages = listPackages()
  const missing = Object.entries(PARTS).flatMap(([name, parts]) => {
    const { path } = packages.find(pkg => pkg.name === name) ?? { path: name }
    const modules = Object.values(parts).flatMap(part => ('common' in part ? [] : part))
    const named = Object.values(parts).flatMap(part => ('common' in part ? part.common : []))
    return [
      ...modules.filter(module => !existsSync(join(path, 'src', `${module}.ts`))),
      ...named.filter(part => !Array.isArray(Object(parts)[part])),
    ]
  })
  expect(missing).toEqual([])
})
