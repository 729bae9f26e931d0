import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import express from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { SiteAuth } from '../src/index.ts'

const external = Object.values(networkInterfaces())
  .flatMap(each => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** An application in production that nobody has configured, listening on every address of the machine. */
async function startSite() {
  vi.stubEnv('NODE_ENV', 'production')
  vi.stubEnv('AUTH_URL', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const errors: string[] = []
  const auth = SiteAuth({
    secret: 'a test secret that is long enough!',
    providers: [],
    logger: { error: ({ message }) => void errors.push(message), warn() {}, debug() {} },
  })
  const app = express()
  app.use('/auth', auth.handler)
  const server = createServer(app).listen(0, '0.0.0.0')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  async function statusAt(host: string, headers: Record<string, string> = {}): Promise<number> {
    const sent = request({
      host,
      port,
      path: '/auth/providers',
      headers: { host: `localhost:${port}`, ...headers },
    })
    sent.end()
    const [response] = await once(sent, 'response')
    response.resume()
    return response.statusCode
  }
  return { statusAt, errors }
}

describe('An Express application in production without configuration', () => {
  it('serves a browser on the same machine', async () => {
    const { statusAt, errors } = await startSite()
    expect(await statusAt('127.0.0.1')).toBe(200)
    expect(errors).toEqual([])
  })

  it.each(['x-forwarded-for', 'x-forwarded-host', 'forwarded', 'via', 'x-real-ip'])(
    'rejects a request for localhost with the header %s, and names AUTH_URL',
    async name => {
      const { statusAt, errors } = await startSite()
      expect(await statusAt('127.0.0.1', { [name]: '127.0.0.1' })).toBe(500)
      expect(errors).toEqual([expect.stringContaining('Set AUTH_URL')])
    },
  )

  it.runIf(external)(
    'rejects a request for localhost from another address, and names AUTH_URL',
    async () => {
      const { statusAt, errors } = await startSite()
      expect(await statusAt(external ?? '')).toBe(500)
      expect(errors).toEqual([expect.stringContaining('Set AUTH_URL')])
    },
  )
})
