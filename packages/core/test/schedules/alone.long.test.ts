import { appendFileSync } from 'node:fs'
import { it } from 'vitest'
import { STATES, flowsIn } from './flows.ts'
import { play } from './scene.ts'
import { byParts } from './turns.ts'
it('tries', async () => {
  const say = (...t: unknown[]) => appendFileSync('/tmp/sched-try.log', t.join(' ') + String.fromCharCode(10))
  for (const strategy of ['database', 'jwt'] as const) for (const state of STATES) for (const flow of flowsIn(state)) {
      const { turns, outcome, faults } = await play({ state, strategy, flows: [flow] }, byParts([[0]]), undefined, true)
      say(state, strategy, turns.length, JSON.stringify(outcome), faults.join(' !! '))
  }
}, 600000)
