import GitHub from '@siteauth/core/providers/github'
import { describe, expect, it } from 'vitest'
import { recordingLogger, SECRET } from '../../../../test/visitor.ts'
import { ErrorPageLoop } from '../../base/errors.ts'
import { resolveConfig } from '../../config/resolution/resolve-config.ts'
import type { ResolvedConfig } from '../../config/resolved-config.ts'
import { atPaths } from '../../config/site-address.ts'
import { respond } from '../../endpoints/respond.ts'
import { logPageLoop } from '../../integration/deny-request.ts'
import type { ServerDirectory } from '../../oauth/provider/server.ts'
import { createDpopKey, openDpopKey } from '../../oauth/token/dpop.ts'
import { oauthRuntime } from './oauth-runtime.ts'
import { tokenRuntime } from './token-runtime.ts'

const providers = [GitHub({ clientId: 'app', clientSecret: 'secret' })]

function configured() {
  const { logger, warnings, errors } = recordingLogger()
  const options = { secret: SECRET, trustHost: true, providers, logger, limits: true }
  const config = resolveConfig(options, { env: { NODE_ENV: 'test' } })
  if (config.problems) throw config.problems[0]
  return { config, warnings, errors }
}

const COPIES: readonly (readonly [string, (config: ResolvedConfig) => ResolvedConfig])[] = [
  ['at other paths', config => atPaths(config, { route: '/b', public: '/b' })],
  ['with other pages', config => ({ ...config, pages: { signIn: '/login' } })],
  [
    'with its providers in another map',
    config => ({ ...config, providers: new Map(config.providers) }),
  ],
  ['with other limits', config => ({ ...config, limits: config.limits && { ...config.limits } })],
]

describe.each(COPIES)('a copy of a configuration %s', (_name, copyOf) => {
  it('shares what is remembered, whichever is used first', () => {
    const { config } = configured()
    const copy = copyOf(config)
    expect(oauthRuntime(copy)).toBe(oauthRuntime(config))
    expect(tokenRuntime(config)).toBe(tokenRuntime(copy))
  })

  it('warns only once that the addresses of visitors are unknown', async () => {
    const { config, warnings } = configured()
    for (const each of [config, copyOf(config)]) {
      const path = `${each.paths.public}/callback/github?code=1&state=some`
      await respond(each, new Request(`https://app.example.com${path}`))
    }
    expect(warnings.filter(code => code === 'unknown-client-address')).toHaveLength(1)
  })
})

it('keeps two configurations apart, even with the same providers', () => {
  const [one, other] = [configured().config, configured().config]
  expect(oauthRuntime(one)).not.toBe(oauthRuntime(other))
  expect(tokenRuntime(one)).not.toBe(tokenRuntime(other))
})

it('makes nothing until it is needed', () => {
  const made = Object.values(configured().config.runtime)
  expect(made).toEqual(made.map(() => new Map()))
})

it('keeps the keys of proofs for its own configuration', async () => {
  const [one, other] = [configured(), configured()].map(
    ({ config }) => oauthRuntime(config).servers,
  )
  const client = { client_id: 'app' }
  const { jwk } = await createDpopKey(client, 0)
  const key = await openDpopKey(jwk, client, one as ServerDirectory, 0)
  const again = await openDpopKey(jwk, client, one as ServerDirectory, 0)
  const elsewhere = await openDpopKey(jwk, client, other as ServerDirectory, 0)
  expect(again.handle).toBe(key.handle)
  expect(elsewhere.handle).not.toBe(key.handle)
})

it('logs that a sign-in page is behind a guard once for each configuration, however it is mounted', () => {
  const { config, errors } = configured()
  const { config: other, errors: otherErrors } = configured()
  const fault = new ErrorPageLoop('The sign-in page /login is behind the guard.')
  for (const each of [config, atPaths(config, { route: '/b', public: '/b' }), other]) {
    logPageLoop(each, fault)
  }
  expect([errors, otherErrors].map(each => each.length)).toEqual([1, 1])
})
