import { once } from 'node:events'
import { connect } from 'node:net'
import { quantile } from './measure.mjs'

/**
 * Keeps connections to a server open and sends requests over them, each connection one after the other.
 *
 * The connections outlive a visit, so that visits can be short and contenders take turns often: what
 * else the machine does then hits all of them alike. Requests are written as bytes made beforehand, and
 * of an answer no more is read than where it ends, so that the server is busier than this process.
 *
 * @param requests each with a `path` and `headers`; sent in turn.
 */
export async function openConnections(origin, requests, count) {
  const { hostname, port, host } = new URL(origin)
  const bytes = requests.map(({ path, headers = {} }) => {
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
    return Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  })
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      await once(socket, 'connect')
      return socket
    }),
  )
  let next = 0

  return {
    /** Until all that was sent within the time is answered: requests per second, and the median latency in ms. */
    async visit(seconds) {
      const started = performance.now()
      const latencies = []
      const keepAsking = async socket => {
        while (performance.now() - started < seconds * 1000) {
          const asked = performance.now()
          const status = await ask(socket, bytes[next++ % bytes.length])
          if (status >= 400) throw new Error(`${origin} answered ${status}`)
          latencies.push(performance.now() - asked)
        }
      }
      await Promise.all(sockets.map(keepAsking))
      const taken = (performance.now() - started) / 1000
      return {
        requests: latencies.length,
        rate: latencies.length / taken,
        p50: quantile(latencies, 0.5),
      }
    },
    close() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Resolves with the status of the answer, when all of it is there. */
function ask(socket, bytes) {
  return new Promise((resolve, reject) => {
    let text = ''
    const finish = (settle, value) => {
      socket.off('data', read).off('close', fail)
      settle(value)
    }
    const fail = () => finish(reject, new Error('the server closed the connection'))
    const read = data => {
      text += data.latin1Slice()
      if (isWhole(text)) finish(resolve, Number(text.slice(9, 12)))
    }
    if (socket.closed) return fail()
    socket.on('data', read).on('close', fail)
    socket.write(bytes)
  })
}

function isWhole(answer) {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(answer.slice(0, head)) ?? []
  if (length === undefined) return answer.endsWith('\r\n0\r\n\r\n')
  return answer.length >= head + 4 + Number(length)
}
