import { FLOWS } from './flows.ts'
import { makeReady, runUntilKilled, type Strategy } from './kill.ts'
import { MORTAL_STORES, type StoreName } from './stores.ts'

// Runs a flow, and kills its own process after so many statements.
const [store = '', place = '', title = '', strategy = '', statements = ''] = process.argv.slice(2)

async function run(): Promise<void> {
  const flow = FLOWS[title]
  if (!flow) throw new Error('there is no such flow')
  // Sound: so it is started.
  const opened = await MORTAL_STORES[store as StoreName].open(place)
  const die = () => process.kill(process.pid, 'SIGKILL')
  const ready = await makeReady(opened, flow, strategy as Strategy, die)
  await runUntilKilled(ready, Number(statements))
  throw new Error('it has fewer statements')
}

// Not awaited: what a store loads may need this module, which is not there until it has ended.
void run()
