import { createServer } from 'node:http'

// As behind a proxy that sets both headers, which is how adapter-node learns its own address.
process.env.PROTOCOL_HEADER = 'x-forwarded-proto'
process.env.HOST_HEADER = 'x-forwarded-host'
const { handler } = await import('./build/handler.js')

createServer((request, response) => {
  request.headers['x-forwarded-proto'] ??= 'http'
  request.headers['x-forwarded-host'] ??= request.headers.host
  handler(request, response)
}).listen(Number(process.env.PORT), process.env.HOST)
