import { Auth, type AuthConfig } from '@siteauth/core'
import Credentials from '@siteauth/core/providers/credentials'
import { NextRequest } from 'next/server.js'
import { describe, expect, it } from 'vitest'
import { Visitor } from '../../core/test/visitor.ts'
import { SiteAuth } from '../../next/src/index.ts'

// Many applications make their configuration for each request. What is counted must outlive it.
const configure = (secret: string): AuthConfig => ({
  secret,
  basePath: '/auth',
  trustHost: true,
  limits: true,
  clientAddress: { header: 'x-test-address' },
  logger: { error() {}, warn() {}, debug() {} },
  providers: [Credentials({ credentials: { username: {} }, authorize: () => null })],
})

async function statusAfterGuesses(answer: (request: Request) => Promise<Response>) {
  for (let guess = 0; guess < 5; guess++) {
    await new Visitor(answer).post('/callback/credentials', { username: 'ann' })
  }
  return (await new Visitor(answer).post('/callback/credentials', { username: 'ann' })).status
}

describe('attempts go on counting where the configuration is made anew for each request', () => {
  it('by Auth(), for each application by itself', async () => {
    const answer = (secret: string) => (request: Request) => Auth(request, configure(secret))
    expect(await statusAfterGuesses(answer('the secret of one application here'))).toBe(429)
    const elsewhere = new Visitor(answer('the secret of another application!'))
    const response = await elsewhere.post('/callback/credentials', { username: 'ann' })
    expect(response.status).toBe(302)
  })

  it('on Next', async () => {
    const { handlers } = SiteAuth(() => configure('the secret of one application here'))
    const status = await statusAfterGuesses(request => {
      const asked = new NextRequest(request)
      return request.method === 'POST' ? handlers.POST(asked) : handlers.GET(asked)
    })
    expect(status).toBe(429)
  })
})
