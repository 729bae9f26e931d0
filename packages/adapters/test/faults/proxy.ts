import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to a server that can be disturbed. */
export interface Proxy {
  readonly port: number
  /** From now on nothing passes, in either direction, while everybody is let in. */
  silence(): void
  /** From now on all connections are rejected, and those that are open are cut. */
  rejectConnections(): Promise<void>
  /** Throws everybody out when somebody sends that text for the nth time, which does not arrive. */
  cutAt(text: string, nth: number): void
  /** As if nothing had been. */
  heal(): Promise<void>
  close(): Promise<void>
}

export async function openProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let fatal: { readonly text: string; left: number } | null = null
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', chunk => {
      if (isSilent) return
      if (fatal && chunk.includes(fatal.text) && --fatal.left === 0) {
        fatal = null
        cut()
      } else upstream.write(chunk)
    })
    upstream.on('data', chunk => {
      if (!isSilent) client.write(chunk)
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  // Sound: it listens on a port.
  const { port } = server.address() as AddressInfo
  const rejectConnections = async () => {
    if (!server.listening) return
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    cut()
    await closed
  }
  return {
    port,
    silence() {
      isSilent = true
    },
    rejectConnections,
    cutAt(text, nth) {
      fatal = { text, left: nth }
    },
    async heal() {
      // What was swallowed is missing on every connection there was.
      if (isSilent) cut()
      isSilent = false
      fatal = null
      if (!server.listening) await listen(port)
    },
    close: rejectConnections,
  }
}
