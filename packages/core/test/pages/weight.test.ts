import { gzipSync } from 'node:zlib'
import type { OAuthConfig, Provider } from '@siteauth/core/providers'
import { expect, it } from 'vitest'
import { createTestAuth, Visitor } from '../visitor.ts'
import { builtInProviders } from './built-in-providers.ts'

const LIMIT = 12_000

/** Everything that a browser has to load for the sign-in page, as it goes over the wire. */
async function weightOf(providers: Provider[]): Promise<number> {
  const visitor = new Visitor(createTestAuth({ providers, trustHost: true }).handle)
  const html = await (await visitor.get('/signin')).text()
  const scripts = [...html.matchAll(/<script src="\/auth([^"]+)"/g)].flatMap(([, src]) => src ?? [])
  const files = await Promise.all(scripts.map(async src => (await visitor.get(src)).text()))
  expect(scripts).toHaveLength(1)
  return [html, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0)
}

/** The built-in providers, those with the largest marks first. */
async function providersByMark(): Promise<Provider[]> {
  return (await builtInProviders())
    .filter(({ style }) => style?.logoPath)
    .sort((one, other) => sizeOf(other) - sizeOf(one))
    .map(provider => provider as Provider) // of whichever profile
}

const sizeOf = ({ style }: OAuthConfig<never>) => JSON.stringify(style?.logoPath).length

it('a sign-in page with any five providers weighs at most 12 kB, all included', async () => {
  const heaviest = (await providersByMark()).slice(0, 5)
  expect(heaviest).toHaveLength(5)
  expect(await weightOf(heaviest)).toBeLessThan(LIMIT)
})
