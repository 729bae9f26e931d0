import { Session } from 'node:inspector/promises'

const inspector = new Session()
const orders = {
  cpu: () => process.cpuUsage(),
  async startProfile() {
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.setSamplingInterval', { interval: 200 })
    await inspector.post('Profiler.start')
    return {}
  },
  async stopProfile() {
    return (await inspector.post('Profiler.stop')).profile
  },
}

/** While they wait for their turn, connections stay open for this long. */
export const KEEP_ALIVE_MS = 600_000

/** In a process that is measured: does what the one that started it says, and ends with it. */
export function obeyOrders() {
  process.on('disconnect', () => process.exit())
  process.on('message', async order => process.send(await orders[order]()))
}
