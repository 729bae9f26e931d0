import { createApplication } from '../application.ts'
import { SCENARIOS } from './scenarios.ts'
import { STORES } from './stores.ts'

// Signs somebody in, and kills its own process just before something is written.
const [storeName = '', place = '', scenarioName = '', person = '', fatal = ''] =
  process.argv.slice(2)
const store = STORES[storeName]
const scenario = SCENARIOS[scenarioName]
if (!store || !scenario) throw new Error('no such store or scenario')

let writes = 0
let isArmed = false
const { adapter, close } = await store.open(place, () => {
  if (isArmed && ++writes === Number(fatal)) process.kill(process.pid, 'SIGKILL')
})
const act = await scenario.begin(await createApplication(adapter), person)
isArmed = true
await act()
isArmed = false
await close()
