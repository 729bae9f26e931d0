import type { Adapter } from '@siteauth/core/adapters'
import { AccessTokenError } from '@siteauth/core/errors'
import { STORES } from '../interrupted/stores.ts'
import { createApplication, type Job, ORIGIN } from './application.ts'

// One server of an application that several run: it requests an access token many times at once, as soon as
// its parent says so.
const job = JSON.parse(String(process.argv[2])) as Job
const store = STORES[job.store]
if (!store) throw new Error(`there is no store ${job.store}`)
const { adapter: whole, close } = await store.open(job.place, 'ada', () => true)
const adapter: Adapter = job.diesBeforeWriting
  ? {
      ...whole,
      updateAccount(account, held) {
        if (account.access_token) process.kill(process.pid, 'SIGKILL')
        return whole.updateAccount?.(account, held) ?? null
      },
    }
  : whole
const auth = createApplication(adapter, job.issuer, job.ahead)
const request = () => new Request(`${ORIGIN}/page`, { headers: { cookie: job.cookie } })

async function requestToken(): Promise<string> {
  try {
    return (await auth.accounts.getAccessToken(request(), 'op')).accessToken
  } catch (error) {
    return error instanceof AccessTokenError ? error.code : String(error)
  }
}

await auth.getSession(request())
process.stdout.write('ready\n')
process.stdin.once('data', async () => {
  const report: Record<string, number> = {}
  for (const outcome of await Promise.all(Array.from({ length: job.calls }, requestToken))) {
    report[outcome] = (report[outcome] ?? 0) + 1
  }
  process.stdout.write(JSON.stringify(report))
  await close()
  process.exit(0)
})
