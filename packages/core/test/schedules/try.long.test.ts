import { appendFileSync } from 'node:fs'
import { it } from 'vitest'
import type { FlowName, State } from './flows.ts'
import { everyStop, pairsIn, STATES } from './pairs.ts'
const say = (...t: unknown[]) => appendFileSync(process.env['OUT'] ?? '/tmp/sched-try.log', t.join(' ') + String.fromCharCode(10))
it('tries', async () => {
  const [at, of] = (process.env['PART'] ?? '0/1').split('/').map(Number)
  let total = 0, n = 0
  const start = process.cpuUsage().user
  const one = process.env['PAIR']?.split(' | ') as [State, FlowName, FlowName] | undefined
  for (const state of STATES) for (const flows of one ? one[0] === state ? [[one[1], one[2]] as const] : [] : pairsIn(state)) {
    if (n++ % Number(of) !== Number(at)) continue
    for (const strategy of ['database', 'jwt'] as const) {
      const { schedules, faults } = await everyStop({ state, strategy, flows })
      total += schedules
      if (faults.length) say(state, strategy, flows.join(' | '), schedules, faults.length)
      for (const f of faults.slice(0, one ? 99 : 3)) say('   !!', f)
    }
  }
  say('TOTAL', total, (process.cpuUsage().user - start) / 1000)
}, 6000000)
