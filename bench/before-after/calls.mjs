// A process that has loaded two versions, and asks them in turns who is signed in.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sample } from '../lib/measure.mjs'
import { visitorWith } from '../lib/visitor.mjs'
import { importFrom } from './import-from.mjs'

const [kind, before, after, order] = process.argv.slice(2)

// On Node, what has only WebCrypto is loaded by this condition.
if (kind === 'edge' && !process.execArgv.includes('--conditions=workerd')) {
  const child = fork(fileURLToPath(import.meta.url), process.argv.slice(2), {
    execArgv: ['--conditions=workerd'],
  })
  child.on('message', message => process.send(message))
  await once(child, 'exit')
} else {
  const visitor = await visitorWith(410)
  const trees = order === '0' ? [before, after] : [after, before]
  const contenders = []
  for (const tree of trees) contenders.push(await contenderOf(tree))
  const samples = await sample(contenders, { rounds: 101, roundMs: 5 })
  process.send({ samples: order === '0' ? samples : samples.reverse() })

  async function contenderOf(tree) {
    const { createAuth } = await importFrom(tree, '@siteauth/core')
    const session = await sessionFor(tree)
    const auth = createAuth({ ...config(), ...session.config }, { env: {} })
    const request = session.request ?? visitor.request
    if (!(await auth.getSession(request()))) throw new Error('nobody')
    return { name: tree, run: () => auth.getSession(request()) }
  }
}

function config() {
  return {
    secret: 'a secret of at least thirty-two characters',
    trustHost: true,
    providers: [],
    logger: { error() {}, warn() {}, debug() {} },
    // The second is the name that the first had before calls were grouped.
    ...(kind.includes('remembered') ? {} : { jwt: { cacheBytes: 0, cacheSize: 0 } }),
  }
}

async function sessionFor(tree) {
  if (kind.startsWith('log')) return { config: { session: { revocation: { log: smallLog() } } } }
  if (kind !== 'database') return {}
  const { MemoryAdapter } = await importFrom(tree, '@siteauth/adapters/memory')
  const adapter = MemoryAdapter()
  const user = await adapter.createUser({
    name: 'Ann',
    email: 'ann@example.com',
    emailVerified: null,
  })
  const sessionToken = '8f14e45f-ceea-467f-a9d8-2b1f6f0c9a11'
  const expires = new Date(Date.now() + 30 * 24 * 3600 * 1000)
  await adapter.createSession({ sessionToken, userId: user.id, expires })
  const headers = {
    cookie: `__Secure-authjs.session-token=${sessionToken}`,
    host: 'app.example.com',
  }
  return {
    config: { adapter, session: { strategy: 'database' } },
    request: () => ({ headers: { ...headers }, url: 'https://app.example.com/auth/session' }),
  }
}

/** A log of a thousand sessions that have ended. */
function smallLog() {
  const revocations = Array.from({ length: 1000 }, (_, n) => ({
    key: `s:${n.toString(16).padStart(32, '0')}`,
    generation: null,
    until: new Date(Date.now() + 30 * 24 * 3600 * 1000),
  }))
  return {
    end: async () => [],
    find: async () => [],
    since: async () => ({ revocations, now: new Date() }),
  }
}
