import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '../../../core/test/visitor.ts'
import { type Nginx, startNginx } from '../../../express/test/nginx.ts'
import { PostgresAdapter } from '../../src/postgres.ts'
import { type BuiltChild, buildChild } from '../child-process.ts'
import { clusterFleet, failOver, sentinelFleet } from '../fail-over.ts'
import { createPostgresDatabase, POSTGRES_URL, REDIS_CLUSTER, REDIS_SENTINEL } from '../servers.ts'
import { copyVisitor, createVisitor, type Node, startNode } from './start-nodes.ts'

const nginxPath = process.env['NGINX_PATH']
let child: BuiltChild
const running: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  child = await buildChild(`${import.meta.dirname}/node.ts`)
})
afterAll(() => child.remove())
afterEach(async () => {
  for (const node of running.splice(0).reverse()) await node.stop()
})

const STORES = [
  { store: 'PostgreSQL', isThere: POSTGRES_URL !== undefined, place: migratedDatabase },
  {
    store: 'Redis Cluster',
    isThere: REDIS_CLUSTER !== undefined,
    place: async () => REDIS_CLUSTER,
  },
]

/** Three processes start, and perhaps on a machine that has much else to do. */
const LONG = 240_000

/** Longer than any of these tests: what is known by then was told by the channel. */
const NEVER = 3600

for (const { store, isThere, place } of STORES) {
  describe.skipIf(!isThere || !nginxPath)(`three nodes behind nginx, on ${store}`, () => {
    async function start(options: { pollSeconds: number; hasChannel: boolean }) {
      const where = String(await place())
      const nodes: Node[] = []
      for (let index = 0; index < 3; index++) {
        const node = await startNode(child, store, where, options)
        running.push(node)
        nodes.push(node)
      }
      const nginx = await startNginx(
        String(nginxPath),
        nodes.map(({ origin }) => origin),
      )
      running.push({ stop: () => nginx.close() })
      if (options.hasChannel) await allListening(nodes, nginx)
      return { nodes, nginx }
    }

    it.each([
      ['by the channel', { pollSeconds: NEVER, hasChannel: true }],
      ['by polling, where the channel is cut', { pollSeconds: 0.5, hasChannel: false }],
    ])(
      'whoever signs out at one is out at all of them, %s',
      async (_name, options) => {
        const { nodes, nginx } = await start(options)
        const ann = await signedIn(nginx, 'ann')
        const copy = copyVisitor(ann)
        for (const node of nodes) expect(await node.sees(copy)).toBe('in')
        await ann.post('/signout')
        for (const node of nodes) await expect.poll(() => node.sees(copy), POLL_OPTIONS).toBe('out')
      },
      LONG,
    )

    it(
      'whoever is ended everywhere is out everywhere, and can sign in again',
      async () => {
        const { nodes, nginx } = await start({ pollSeconds: NEVER, hasChannel: true })
        const ann = [await signedIn(nginx, 'ann'), await signedIn(nginx, 'ann')]
        const ben = await signedIn(nginx, 'ben')
        for (const node of nodes) expect(await node.sees(ben)).toBe('in')
        await endUser(nginx, 'ann')
        for (const node of nodes) {
          for (const one of ann) await expect.poll(() => node.sees(one), POLL_OPTIONS).toBe('out')
          expect(await node.sees(ben)).toBe('in')
        }
        const again = await signedIn(nginx, 'ann')
        for (const node of nodes) expect(await node.sees(again)).toBe('in')
      },
      LONG,
    )
  })
}

describe.skipIf(POSTGRES_URL === undefined)('three nodes on PostgreSQL', () => {
  it(
    'let five of 200 guesses at once through, and the owner in by a browser that is known',
    async () => {
      const where = await migratedDatabase()
      const options = { pollSeconds: NEVER, hasChannel: false }
      const nodes = await Promise.all(
        [1, 2, 3].map(async () => {
          const node = await startNode(child, 'PostgreSQL', where, options)
          running.push(node)
          return node
        }),
      )
      const owner = createVisitor(nodes[0] as Node) // there are three
      await owner.post('/callback/guessed', { username: 'ann', password: 'right' })
      const strangers = await Promise.all(
        nodes.map(async node => {
          const visitor = createVisitor(node)
          return { visitor, csrfToken: await visitor.csrfToken() }
        }),
      )

      const guess = async (index: number) => {
        const { visitor, csrfToken = '' } = strangers[index % 3] ?? {}
        const body = new URLSearchParams({ csrfToken, username: 'ann', password: `${index}` })
        return (await visitor?.send('/callback/guessed', { method: 'POST', body }))?.status
      }
      const statuses = await Promise.all(Array.from({ length: 200 }, (_, index) => guess(index)))
      expect(statuses.filter(status => status === 429)).toHaveLength(195)
      expect(statuses.filter(status => status === 302)).toHaveLength(5)

      for (const node of nodes) {
        const visitor = createVisitor(node)
        for (const [name, value] of owner.cookies) visitor.cookies.set(name, value)
        await visitor.post('/signout')
        await visitor.post('/callback/guessed', { username: 'ann', password: 'right' })
        expect(await visitor.session()).toMatchObject({ user: { name: 'ann' } })
      }
    },
    LONG,
  )
})

const POLL_OPTIONS = { timeout: 30_000, interval: 20 }

async function signedIn(nginx: Nginx, id: string): Promise<Visitor> {
  const visitor = new Visitor(nginx.send, `${nginx.origin}/whole/auth`)
  await visitor.post('/callback/password', { id })
  return visitor
}

/**
 * A node begins to listen when it is first asked about a session, and nobody waits for that. What is ended
 * until then, it learns by polling, which these tests do without.
 */
async function allListening(nodes: readonly Node[], nginx: Nginx): Promise<void> {
  await expect
    .poll(async () => {
      const id = crypto.randomUUID()
      const visitor = await signedIn(nginx, id)
      for (const node of nodes) await node.sees(visitor)
      await endUser(nginx, id)
      const isOut = nodes.map(async node => {
        for (let tries = 0; tries < 50; tries++)
          if ((await node.sees(visitor)) === 'out') return true
        return false
      })
      return (await Promise.all(isOut)).every(Boolean)
    }, POLL_OPTIONS)
    .toBe(true)
}

async function endUser(nginx: Nginx, id: string): Promise<void> {
  const url = `${nginx.origin}/whole/end-user`
  await nginx.send(new Request(url, { method: 'POST', body: id }))
}

async function migratedDatabase(): Promise<string> {
  const url = await createPostgresDatabase()
  const { migrations, close } = PostgresAdapter({ url })
  await migrations.apply()
  await close()
  return url
}

// Here, and the last: nobody else may want the servers by then.
describe.skipIf(!REDIS_CLUSTER)('Redis Cluster', () => {
  failOver(clusterFleet((REDIS_CLUSTER ?? '').split(',')))
})
describe.skipIf(!REDIS_SENTINEL)('Redis Sentinel', () => {
  failOver(sentinelFleet((REDIS_SENTINEL ?? '').split(',')))
})
