import fc from 'fast-check'
import { describe, it } from 'vitest'
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
      await fc.assert(property, limits(STORIES, SETTINGS.length))
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
      await fc.assert(property, limits(CONCURRENT_STORIES, CONDITIONAL.length))
    },
    SECONDS * 1000 + 300_000,
  )
})

function limits(stories: number, settings: number): fc.Parameters<unknown> {
  return {
    ...(SECONDS > 0
      ? {
          numRuns: 1_000_000,
          interruptAfterTimeLimit: (SECONDS * 1000) / settings,
          // What was tried until then has held.
          markInterruptAsFailure: false,
        }
      : { numRuns: stories }),
    ...(process.env['MODEL_SEED'] && { seed: Number(process.env['MODEL_SEED']) }),
  }
}
