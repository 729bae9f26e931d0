import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeRepository } from './fixture.ts'
import { LAYERS } from './layers.mjs'
import { checkLayersTable, layersAsText } from './layers-table.mjs'

const TREE = 'packages/core/\n  src/\n    session/    sessions\npackages/next/\n'

it('names every folder of the layers', () => {
  const text = layersAsText()
  const places = LAYERS.flatMap(({ features }) =>
    features.flatMap((each: string | { steps: string[][] }) =>
      typeof each === 'string' ? [each] : each.steps.flat(),
    ),
  )
  const unnamed = places.filter(place => !text.includes(place.split('/').at(-1) as string))
  expect(unnamed.filter(place => place !== '.')).toEqual([])
})

it('finds a layer in ARCHITECTURE.md that has been changed by hand, and writes it', () => {
  const root = makeRepository({
    'ARCHITECTURE.md': `<!-- layers: written by tools/layers-table.mjs -->\n<!-- /layers -->\n${TREE}`,
    'packages/core/src/lib/session/store.ts': '',
  })
  const outdated = 'ARCHITECTURE.md has other layers. Cure: node tools/layers-table.mjs'
  expect(checkLayersTable(root)).toEqual([outdated])
  expect(checkLayersTable(root, { update: true })).toEqual([])
  expect(checkLayersTable(root)).toEqual([])
  const page = join(root, 'ARCHITECTURE.md')
  writeFileSync(page, readFileSync(page, 'utf8').replace('principal', 'identity'))
  expect(checkLayersTable(root)).toEqual([outdated])
})

it('finds a folder of core that the tree in ARCHITECTURE.md leaves out, also if another package has one of that name', () => {
  const root = makeRepository({
    'ARCHITECTURE.md': `<!-- layers: written by tools/layers-table.mjs -->\n${layersAsText()}<!-- /layers -->\n${TREE}    config/     of Next\n`,
    'packages/core/src/lib/session/store.ts': '',
    'packages/core/src/lib/config/options.ts': '',
  })
  expect(checkLayersTable(root)).toEqual([
    'ARCHITECTURE.md does not say what is in packages/core/src/lib/config',
  ])
})
