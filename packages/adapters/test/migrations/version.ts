import { createInterface } from 'node:readline'
import { openSqlAdapter } from './databases.ts'

// One version of the adapters, built from the sources of today and of an earlier version, so it can use only what both have. It
// carries out each line, `<kind> <place> plan|apply|live`, and answers in JSON.
for await (const line of createInterface({ input: process.stdin })) {
  const [kind = '', place = '', action = ''] = line.split(' ')
  const adapter = openSqlAdapter(kind, place)
  const answer =
    action === 'live'
      ? await live(adapter)
      : (await (action === 'plan' ? adapter.migrations.plan() : adapter.migrations.apply())).map(
          ({ description }) => description,
        )
  await adapter.close()
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

/** What happens to a user and her sessions, of both kinds. */
async function live(adapter: ReturnType<typeof openSqlAdapter>) {
  const id = crypto.randomUUID()
  const expires = new Date(Date.now() + 3_600_000)
  await adapter.createUserWithAccount({
    user: { id, email: `${id}@example.com`, emailVerified: null },
    account: { type: 'oauth', provider: 'github', providerAccountId: id },
    session: { sessionToken: id, expires },
  })
  await adapter.createSession({ sessionToken: `${id}-2`, userId: id, expires })
  const tracked = adapter.trackedSessions
  await tracked.add({ id: `s:${id}`, userId: id, expires })
  const found = await adapter.getSessionAndUser(id)
  const listed = await adapter.listSessions(id)
  const listedAsTracked = await tracked.list(id, 10)
  const ended = await adapter.deleteOtherSessions({ userId: id, sessionToken: id })
  await tracked.removeAll(id)
  await adapter.deleteUser(id)
  return {
    found: found?.user.id === id,
    listed: listed.length,
    tracked: listedAsTracked.length,
    ended,
    left: (await adapter.listSessions(id)).length + (await tracked.list(id, 10)).length,
  }
}
