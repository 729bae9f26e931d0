import { createApplication } from '../application.ts'
import { personFor, SCENARIOS } from './scenarios.ts'
import { STORES } from './stores.ts'

// Signs people in, and stops each just before something is written: the first before the first write, the
// second before the second, until somebody has fewer. Says how many that were, and kills its own process, in
// which all of them still wait.
const [storeName = '', place = '', scenarioName = ''] = process.argv.slice(2)
const store = STORES[storeName]
const scenario = SCENARIOS[scenarioName]
if (!store || !scenario) throw new Error('no such store or scenario')

/** Returns whether there was such a write to be stopped before. */
const signIn = async (fatal: number): Promise<boolean> => {
  let writes = 0
  let isArmed = false
  let stop = () => {}
  const stopped = new Promise<true>(resolve => {
    stop = () => resolve(true)
  })
  const { adapter } = await store.open(place, personFor(fatal), () => {
    if (!isArmed || ++writes < fatal) return true
    stop()
    return false
  })
  const act = await scenario.begin(await createApplication(adapter), personFor(fatal))
  isArmed = true
  return Promise.race([stopped, act().then(() => writes >= fatal)])
}

async function signInAll(): Promise<void> {
  let people = 0
  let wasStopped = true
  while (wasStopped) {
    people++
    wasStopped = await signIn(people)
  }
  process.stdout.write(String(people), () => process.kill(process.pid, 'SIGKILL'))
}

// Not awaited: what a store loads may need this module, which is not there until it has ended.
void signInAll()
