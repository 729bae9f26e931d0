import type { AuthConfig } from '@siteauth/core'
import { describe, expect, it, vi } from 'vitest'
import { CLIENT_ID, CLIENT_SECRET, createFakeServer } from './oauth/fake-server.ts'
import { recordingLogger, SECRET, Visitor } from './visitor.ts'

/**
 * Loads something of the engine. What is loaded later, even by that, is of another copy: so it is where
 * a loader makes CommonJS of our modules and leaves their `import()` alone, as tsx does.
 */
async function inOneCopy<Module>(load: () => Promise<Module>): Promise<Module> {
  vi.resetModules()
  const module = await load()
  vi.resetModules()
  return module
}

describe('where the engine is loaded twice', () => {
  it('a provider that refuses is told of as what it is, and its cookie is used up', async () => {
    const { resolveConfig, respond } = await inOneCopy(async () => ({
      ...(await import('@siteauth/core/internal/config')),
      ...(await import('@siteauth/core/internal/endpoints')),
    }))
    const server = await createFakeServer()
    const { logger, errors } = recordingLogger()
    const op = { id: 'op', name: 'OP', type: 'oidc' as const, issuer: server.issuer }
    const config: AuthConfig = {
      secret: SECRET,
      logger,
      providers: [{ ...op, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }],
      ports: { fetch: server.fetch },
    }
    const resolved = resolveConfig(config, { env: { NODE_ENV: 'test' } })
    const visitor = new Visitor(request => respond(resolved, request))
    const started = await visitor.post('/signin/op')
    const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
    const cookies = visitor.cookies.size
    const refusal = new URLSearchParams({ error: 'access_denied', state, iss: server.issuer })
    const refused = await visitor.get(`/callback/op?${refusal}`)
    expect(refused.headers.get('location')).toMatch(/\/signin\?error=OAuthCallbackError$/)
    expect(errors.map(({ name }) => name)).toEqual(['OAuthCallbackError'])
    expect(visitor.cookies.size).toBeLessThan(cookies)
  })

  it('a provider learns from the environment what it is to be made of', async () => {
    const { default: Mastodon } = await inOneCopy(() => import('@siteauth/core/providers/mastodon'))
    const { createAuth } = await import('@siteauth/core')
    const { logger } = recordingLogger()
    const env = {
      NODE_ENV: 'test',
      AUTH_MASTODON_ID: CLIENT_ID,
      AUTH_MASTODON_SECRET: CLIENT_SECRET,
      AUTH_MASTODON_ISSUER: 'https://social.example',
    }
    const { handle } = createAuth({ secret: SECRET, logger, providers: [Mastodon({})] }, { env })
    const started = await new Visitor(handle).post('/signin/mastodon')
    expect(started.headers.get('location')).toMatch(/^https:\/\/social\.example\/oauth\/authorize/)
  })
})
