import { once } from 'node:events'
import { Visitor } from '../../../core/test/visitor.ts'
import type { BuiltChild } from '../child-process.ts'

/** A server of the application, in a process of its own. */
export interface Node {
  readonly origin: string
  /** What it knows of a browser with these cookies: `in`, `out`, or `unknown`. */
  sees(visitor: Visitor): Promise<'in' | 'out' | 'unknown'>
  stop(): Promise<void>
}

/** Starts a server of the application. */
export async function startNode(
  child: BuiltChild,
  store: string,
  place: string,
  {
    pollSeconds,
    hasChannel,
    issuer = '',
  }: {
    readonly pollSeconds: number
    readonly hasChannel: boolean
    /** Of a provider that people can sign in with. */
    readonly issuer?: string
  },
): Promise<Node> {
  const words = [store, place, String(pollSeconds), hasChannel ? 'channel' : 'none', issuer]
  const { process: running, ended } = child.run(words)
  if (!running.stdout) throw new Error('the output of a node is piped')
  const [line] = await once(running.stdout, 'data')
  const origin = `http://127.0.0.1:${String(line).trim()}`
  return {
    origin,
    async sees(visitor) {
      const copy = createVisitor({ origin })
      for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
      const response = await copy.get('/session')
      if (response.status === 503) return 'unknown'
      if (!response.ok) throw new Error(`a node answered ${response.status}`)
      return (await response.json()) === null ? 'out' : 'in'
    },
    async stop() {
      running.kill('SIGKILL')
      await ended
    },
  }
}

/** A visitor who has copied the cookies. */
export function copyVisitor({ cookies }: Visitor): Visitor {
  const copy = new Visitor(() => Promise.reject(new Error('only shown to nodes')))
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

/** A browser that sends all requests to one server, as if nginx stood before it. */
export function createVisitor({ origin }: Pick<Node, 'origin'>): Visitor {
  return new Visitor(request => {
    const headers = new Headers(request.headers)
    headers.set('x-forwarded-proto', 'https')
    return fetch(new Request(request, { headers, redirect: 'manual' }))
  }, `${origin}/whole/auth`)
}
