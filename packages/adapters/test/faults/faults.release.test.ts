import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '../../../core/test/visitor.ts'
import { type Application, createApplication, readUserId, signIn } from '../application.ts'
import { addressFor, as } from '../interrupted/scenarios.ts'
import { FAULTS, FAULTY_STORES, type FaultName, type FaultyStore } from './faulty-stores.ts'

/** Written by this test: `npx vitest run packages/adapters/test/faults -u`. */
const PAGE = join(import.meta.dirname, '../../../../docs/guide/store-faults.md')

/** When a process tries again to end a session, in milliseconds. */
const RETRY_AFTER = 10_000

const rows: string[] = []
let isComplete = true

for (const [name, open] of Object.entries(FAULTY_STORES)) {
  describe(`what happens to ${name}`, () => {
    let store: FaultyStore | null
    beforeAll(async () => {
      store = await open()
      if (!store) isComplete = false
    })
    afterAll(async () => store?.close())

    for (const fault of FAULTS) {
      it(`${fault}: loses nobody, and says nothing that is not so`, async context => {
        if (!store) return context.skip('its server cannot be started here')
        const inject = store.faults[fault]
        if (!inject) return context.skip('this does not happen to it')
        const seen = await observe(store, fault, inject)
        rows.push(
          `| ${[name, fault, seen.check, seen.signUp, seen.signOut, seen.kept].join(' | ')} |`,
        )
        expect(seen.after).toEqual({
          stillSignedIn: true,
          // Whoever signed up is there as a whole or not at all, and gets in at the next try.
          signsUp: true,
          people: 1,
          isRefusedHere: true,
          endsElsewhere: true,
        })
      })
    }
  })
}

it('is what the guide says', async () => {
  if (!isComplete) return
  const page = [
    '<!-- Written by packages/adapters/test/faults/faults.release.test.ts: do not edit. -->',
    '',
    '# When a store fails',
    '',
    'Each row is a test that broke a real server or file while people used an application. In every row, people who were',
    'signed in before are still signed in afterwards, and anyone who failed to sign up gets in on the next try, as one person.',
    '',
    '- **slow**: it accepts connections but never responds. **refused**: it accepts none. **restarted**: killed and started',
    '  again before the next request. **killed mid-transaction**: the connection is cut in the middle of a sign-up.',
    '  **locked**: someone else holds the tables, the file or the server.',
    '- **503** is the response to `GET session`: it is unknown whether someone is signed in, and their cookie stays.',
    '  An **error page** is the built-in one, or yours.',
    "- A session check, a sign-up or a sign-out never takes longer than the adapter's `timeoutMilliseconds`.",
    '- The process that was asked to sign someone out refuses the session in every row, even if the store could not delete',
    '  it, and tries again every ten seconds until it could. The last column is what the store, and so every other process,',
    '  still has of the session until then.',
    '',
    '| Store | Fault | Session check | Sign-up | Sign-out | The signed-out session in the store |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot(PAGE)
})

type Inject = NonNullable<FaultyStore['faults'][FaultName]>

/** What people see while it happens, and what is there afterwards. */
async function observe({ adapter, canRepeat }: FaultyStore, fault: FaultName, inject: Inject) {
  let ahead = 0
  const application = await createApplication(adapter, { now: () => Date.now() + ahead })
  const { auth } = application
  const person = `${fault.replaceAll(' ', '-')}-${crypto.randomUUID()}`
  const [staying, leaving, arriving] = Array.from({ length: 3 }, () => new Visitor(auth.handle))
  if (!staying || !leaving || !arriving) throw new Error('three visitors')
  await signIn(as(application, `staying-${crypto.randomUUID()}`), staying)
  await signIn(as(application, `leaving-${crypto.randomUUID()}`), leaving)
  const cookies = [...leaving.cookies]
  const sessionAt = (application: Application) => {
    const left = new Visitor(application.auth.handle)
    for (const [name, value] of cookies) left.cookies.set(name, value)
    return left.session().then(readUserId)
  }
  const provider = as(application, person)

  const heal = await inject(person)
  // First, since the connection of a sign-up may be cut.
  const signUp = await findPage(signIn(provider, arriving))
  const check = await staying.get('/session')
  const signOut = await findPage(leaving.post('/signout'))
  await heal()

  await untilBack(staying)
  const stillSignedIn = readUserId(await staying.session()) !== undefined
  const elsewhere = await createApplication(adapter)
  const hasSurvived = (await sessionAt(elsewhere)) !== undefined
  const isRefusedHere = (await sessionAt(application)) === undefined
  // A request to this process is an occasion to try again, and a driver may refuse the first.
  ahead += RETRY_AFTER
  await sessionAt(application)
  const endsElsewhere = (await sessionAt(elsewhere)) === undefined
  // A server may still do what nobody waits for any more, and a driver may still send it.
  const isUncertain = signOut !== 'done' && (fault === 'locked' || (canRepeat && isSilence(fault)))
  const outcome = isUncertain ? 'gone or kept' : hasSurvived ? 'kept' : 'gone'
  const again = new Visitor(auth.handle)
  await signIn(provider, again)
  const id = readUserId(await again.session())
  const user = await adapter.getUserByEmail(addressFor(person))
  return {
    check: check.status === 200 ? 'answered' : String(check.status),
    signUp,
    signOut,
    kept: outcome,
    after: {
      stillSignedIn,
      signsUp: id !== undefined && user?.id === id,
      people: (await adapter.listAccounts(String(id))).length,
      isRefusedHere,
      endsElsewhere,
    },
  }
}

function isSilence(fault: FaultName): boolean {
  return fault === 'slow' || fault === 'refused'
}

async function findPage(pending: Promise<Response>): Promise<string> {
  const response = await pending
  const { pathname } = new URL(response.headers.get('location') ?? '/', 'https://app.example.com')
  if (response.status >= 400) return String(response.status)
  return pathname.endsWith('/error') || pathname.endsWith('/signin') ? 'error page' : 'done'
}

/** Drivers take a moment to connect again. */
async function untilBack(visitor: Visitor): Promise<void> {
  const until = Date.now() + 20_000
  while ((await visitor.get('/session')).status !== 200 && Date.now() < until) {
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
