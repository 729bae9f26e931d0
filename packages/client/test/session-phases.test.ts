import { describe, expect, it } from 'vitest'
import { next, type Phase, type PhaseEvent } from '../src/lib/store/session-phases.ts'

const PHASES: Phase[] = ['resting', 'waiting', 'asking']

describe.each<[PhaseEvent, Phase[]]>([
  ['ask', ['asking', 'asking', 'asking']],
  ['share', ['waiting', 'waiting', 'asking']],
  ['turn', ['resting', 'asking', 'asking']],
  ['answer', ['resting', 'resting', 'asking']],
  ['done', ['resting', 'waiting', 'resting']],
])('%s', (event, after) => {
  it.each(PHASES.map((phase, index) => [phase, after[index]]))('%s → %s', (phase, follows) => {
    expect(next(phase as Phase, event)).toBe(follows)
  })
})
