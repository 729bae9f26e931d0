import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Credentials from '@siteauth/core/providers/credentials'
import type { ExpressAuthConfig } from '@siteauth/express'
import express5, { type Express } from 'express'
import express4 from 'express4'
import { afterEach } from 'vitest'
import { type Recorded, recordingLogger, SECRET, Visitor } from '../../core/test/visitor.ts'

/** Both versions of Express, as one type: what the tests use of them is the same. */
export const versions = [
  { name: 'Express 4', express: express4 as unknown as typeof express5, major: 4 },
  { name: 'Express 5', express: express5, major: 5 },
] as const

/** A configuration with one account: Ann, whose password is "right". */
export function configure(over: Partial<ExpressAuthConfig> = {}): ExpressAuthConfig & Recorded {
  const recorded = recordingLogger()
  const config = {
    secret: SECRET,
    logger: recorded.logger,
    providers: [
      Credentials({
        credentials: { name: {}, password: {} },
        authorize: ({ password }) =>
          password === 'right' ? { id: '1', name: 'Ann', email: 'ann@example.test' } : null,
      }),
    ],
    ...over,
  }
  // Beside the configuration rather than in it: the tests look at what was logged.
  return Object.defineProperties(config, {
    errors: { value: recorded.errors },
    warnings: { value: recorded.warnings },
    debugs: { value: recorded.debugs },
  }) as ExpressAuthConfig & Recorded
}

const running: Server[] = []

afterEach(async () => {
  for (const server of running.splice(0)) {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
})

/** Serves an application on loopback until the test is over. Answers its origin. */
export async function serve(app: Express): Promise<string> {
  const server = createServer(app)
  running.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A browser that really sends its requests. */
export function visit(base: string): Visitor {
  return new Visitor(sent => fetch(new Request(sent, { redirect: 'manual' })), base)
}

/** A browser that has signed in as Ann. */
export async function visitAsAnn(base: string): Promise<Visitor> {
  const visitor = visit(base)
  await visitor.post('/callback/credentials', { name: 'Ann', password: 'right' })
  return visitor
}

/** Sends a request exactly as it is given, which `fetch` does not. */
export async function sendRaw(
  url: string,
  headers: Record<string, string>,
  path = new URL(url).pathname,
): Promise<IncomingMessage & { text: string }> {
  const { hostname, port } = new URL(url)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path, headers }, resolve).on('error', reject).end()
  })
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return Object.assign(answer, { text: Buffer.concat(chunks).toString() })
}
