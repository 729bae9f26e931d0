import { expect, it } from 'vitest'
import type { FlowName, State } from './flows.ts'
import { play } from './scene.ts'
import { byParts, type Part } from './turns.ts'

// Schedules that something was wrong with, each with as few flows and turns as showed it.

interface Found {
  readonly state: State
  readonly flows: readonly FlowName[]
  readonly parts: readonly Part[]
}

const FOUND: Readonly<Record<string, Found>> = {
  'a session that adds a passkey while the others are listed ends with them': {
    state: 'Ann is there',
    flows: ['Mallory ends the others', 'Mallory adds a passkey'],
    parts: [[0, 3], [1], [0]],
  },
  'a session that links an account while the others are listed ends with them': {
    state: 'Mallory sits there',
    flows: ['Mallory ends the others', 'Mallory links an account'],
    parts: [[0, 3], [1], [0]],
  },
}

it.each(Object.entries(FOUND))('%s', async (_, { state, flows, parts }) => {
  for (const strategy of ['database', 'jwt'] as const) {
    const { faults } = await play({ state, strategy, flows }, byParts(parts), undefined, true)
    expect(faults, strategy).toEqual([])
  }
})
