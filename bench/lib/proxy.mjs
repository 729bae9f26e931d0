import { once } from 'node:events'
import { connect, createServer } from 'node:net'

/** A way to a server on which nothing passes in either direction while it is silent, as if the network were down. */
export async function openProxy(target) {
  const sockets = new Set()
  let isSilent = false
  const server = createServer(client => {
    const upstream = connect(target, '127.0.0.1')
    const pass = (from, to) => {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', chunk => !isSilent && to.write(chunk))
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: server.address().port,
    silence() {
      isSilent = true
    },
    /** What was swallowed is missing on every connection that there was. */
    heal() {
      isSilent = false
      cut()
    },
    close() {
      server.close()
      cut()
    },
  }
}
