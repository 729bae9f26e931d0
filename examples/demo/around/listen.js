import { createServer } from 'node:http'

/**
 * Serves on this machine only, at the port that is wanted, or at another where it is taken.
 *
 * @param {string} name what is said to be there
 * @param {number} wanted
 * @param {import('node:http').RequestListener} listener
 */
export async function listen(name, wanted, listener) {
  const server = createServer(listener)
  const port = await bind(server, wanted).catch(async error => {
    if (error.code !== 'EADDRINUSE') throw error
    const other = await bind(server, 0)
    console.log(`  Port ${wanted} is taken: ${name} is at ${other} instead.`)
    return other
  })
  return {
    port,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

function bind(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve(server.address().port)
    })
  })
}
