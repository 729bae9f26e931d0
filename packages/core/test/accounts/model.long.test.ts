import fc from 'fast-check'
import { describe, it } from 'vitest'
import { searchFor } from '../search-for.ts'
import { anyConcurrentStory, anyStory } from './any-story.ts'
import { runConcurrentStory, runStory } from './stories.ts'
import type { Setting } from './world.ts'

/** How long is looked, in all, instead of at so many stories. `npm run model -- 600` looks for ten minutes. */
const SECONDS = Number(process.env['MODEL_SECONDS'] ?? 0)
const STORIES = 6
const CONCURRENT_STORIES = 4

const SETTINGS: readonly Setting[] = (['jwt', 'database'] as const).flatMap(strategy =>
  (['ours', 'published'] as const).flatMap(methods =>
    [true, false].map(email => ({ strategy, methods, email })),
  ),
)

/** Adapters that have the published methods alone cannot promise it: see the guide. */
const CONDITIONAL = SETTINGS.filter(({ methods }) => methods === 'ours')

describe.each(SETTINGS)('$strategy sessions, the methods of $methods, links: $email', setting => {
  it(
    'whatever two people do in whichever order, nobody is in the account of the other',
    async () => {
      await runStory(setting, []) // loads what takes its time once
      const property = fc.asyncProperty(anyStory, actions => runStory(setting, actions))
      await search(property, STORIES, SETTINGS.length)
    },
    SECONDS * 1000 + 300_000,
  )
})

describe.each(CONDITIONAL)('$strategy sessions, links: $email', setting => {
  it(
    'whatever two people do at the same time, nobody is in the account of the other',
    async () => {
      const property = fc.asyncProperty(anyConcurrentStory, steps =>
        runConcurrentStory(setting, steps),
      )
      await search(property, CONCURRENT_STORIES, CONDITIONAL.length)
    },
    SECONDS * 1000 + 300_000,
  )
})

/** Tries so many stories, or for its part of the seconds. */
function search<Story>(
  property: fc.IAsyncProperty<Story>,
  stories: number,
  settings: number,
): Promise<void> {
  if (SECONDS > 0) return searchFor(SECONDS / settings, property)
  const { MODEL_SEED: seed } = process.env
  return fc.assert(property, { numRuns: stories, ...(seed && { seed: Number(seed) }) })
}
