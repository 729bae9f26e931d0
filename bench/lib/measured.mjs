// For `node --import`, before an application that knows nothing of being measured.
import { subscribe } from 'node:diagnostics_channel'
import { KEEP_ALIVE_MS, obeyOrders } from './orders.mjs'

obeyOrders()
subscribe('net.server.socket', ({ socket }) => {
  socket.server.keepAliveTimeout = KEEP_ALIVE_MS
})
