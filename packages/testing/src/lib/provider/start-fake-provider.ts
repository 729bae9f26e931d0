import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createFakeProvider } from './create-fake-provider.ts'
import type { FakeProvider, FakeProviderOptions } from './fake-provider.ts'

/** A fake provider that listens. */
export interface RunningProvider extends FakeProvider {
  close(): Promise<void>
}

/** The options of {@link startFakeProvider}. */
export interface RunningProviderOptions extends Omit<FakeProviderOptions, 'issuer' | 'elsewhere'> {
  /** Defaults to one that is free. */
  port?: number | undefined
}

/**
 * Starts a fake provider as a server, on this machine only, for browsers and for applications in another
 * process. Its page has a button for each person, one to deny, and a list of what can go wrong.
 *
 * @example
 * ```ts
 * import { startFakeProvider } from '@siteauth/testing/provider'
 *
 * // In the global setup of Playwright: the application finds it by AUTH_GOOGLE_ISSUER or the like.
 * export default async function setup(): Promise<() => Promise<void>> {
 *   const { close } = await startFakeProvider({ port: 4000 })
 *   return close
 * }
 * ```
 */
export async function startFakeProvider(
  options: RunningProviderOptions = {},
): Promise<RunningProvider> {
  let provider: FakeProvider | undefined
  const server = createServer((incoming, outgoing) => {
    if (provider) void exchange(provider, incoming, outgoing)
    else outgoing.writeHead(503).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const close = () =>
    new Promise<void>((resolve, reject) => {
      server.close(error => (error ? reject(error) : resolve()))
      server.closeAllConnections()
    })
  const { port } = server.address() as AddressInfo // it listens on one
  try {
    provider = await createFakeProvider({ ...options, issuer: `http://127.0.0.1:${port}` })
  } catch (error) {
    await close()
    throw error
  }
  return { ...provider, close }
}

async function exchange(
  { fetch, issuer }: FakeProvider,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = incoming
  const gone = new AbortController()
  outgoing.on('close', () => gone.abort())
  try {
    const headers = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const hasBody = method !== 'GET' && method !== 'HEAD'
    const response = await fetch(issuer + url, {
      method,
      headers: headers as [string, string][], // pairs, as they were just made
      signal: gone.signal,
      ...(hasBody && { body: Buffer.concat(chunks) }),
    })
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    outgoing.end(Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    if (!outgoing.headersSent) outgoing.writeHead(500)
    outgoing.end(String(error))
  }
}
