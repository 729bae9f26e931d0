import { describe, expect, it } from 'vitest'
import { primitives } from '#crypto'
import { createSealer } from '../../crypto/jwe.ts'
import { STATE_PURPOSE } from '../../crypto/purposes.ts'
import { chooseRedirectUri } from './choose-redirect-uri.ts'
import { decideProxyHop } from './proxy-hop.ts'

const NOW = Date.UTC(2026, 10, 16)
const sealer = createSealer(primitives, ['secret'], STATE_PURPOSE)
const PREVIEW = 'https://preview.test/auth/callback/oa'
const MAIN = 'https://main.test/auth/callback/oa'
const authorization = { url: undefined, params: [], fragment: undefined }
const proxied = {
  id: 'oa',
  authorization,
  proxyCallbackUrl: MAIN,
  proxyOrigins: ['https://preview.test', 'http://localhost:3000'],
  allowInsecureRequests: false,
}

describe('a preview deployment', () => {
  it('has the answer sent to the proxy, and says where it is itself', () => {
    expect(chooseRedirectUri(proxied, PREVIEW)).toEqual({ redirectUri: MAIN, proxyOrigin: PREVIEW })
  })
})

describe('any other deployment', () => {
  it('has the answer sent to itself', () => {
    const direct = { redirectUri: MAIN, proxyOrigin: undefined }
    expect(chooseRedirectUri(proxied, MAIN)).toEqual(direct)
    expect(chooseRedirectUri({ ...proxied, proxyCallbackUrl: undefined }, MAIN)).toEqual(direct)
  })

  it('may name another URL that leads to it', () => {
    const redirectUri = 'https://shop.test/hook'
    const params = [['redirect_uri', redirectUri]] as const
    const provider = {
      ...proxied,
      authorization: { ...authorization, params },
      proxyCallbackUrl: undefined,
    }
    expect(chooseRedirectUri(provider, MAIN)).toEqual({ redirectUri, proxyOrigin: undefined })
  })
})

describe('the proxy', () => {
  const decide = async (
    claims: Record<string, unknown> | string,
    over: { callbackUrl?: string; provider?: typeof proxied; now?: number } = {},
  ) => {
    const state = typeof claims === 'string' ? claims : await sealer.seal(claims, 900, NOW)
    const parameters = new URLSearchParams({ code: 'a code&', state })
    return decideProxyHop(over.provider ?? proxied, {
      parameters,
      callbackUrl: over.callbackUrl ?? MAIN,
      sealer,
      now: over.now ?? NOW,
    })
  }

  it('forwards all parameters to whoever asked', async () => {
    const decision = await decide({ random: 'r', origin: PREVIEW })
    if (decision.do !== 'forward') throw new Error(decision.do)
    const url = new URL(decision.to)
    expect(url.origin + url.pathname).toBe(PREVIEW)
    expect(url.searchParams.get('code')).toBe('a code&')
    expect(url.searchParams.get('state')).toMatch(/^eyJ/)
  })

  it('forwards what the library that we succeed sealed', async () => {
    const state =
      'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoiemUxckdNUEdWRHViY1hEblhvOE5rZElxZUR5dVNTRzNtSTVnUlBneFJpUmxnRHU5TU1qcnBLdzQtcE5vbWdjVHFpUVpsaXRoMWRDeXNSNnVWUGZLZmcifQ..-0_IXQJsGIVpa7HqCRVCLw.VS5CaxH0BuVUtvwCXIxqV9x4aBFa34NURv_M8eqLm7ArBpcv0VKB4RSfjc2FjFmaf7MJd_u8GZl3wnMmkb1VFtZXZew2kiyGYa5AIvKYHjHS9nDs-RY90rHJCTx44wPtU9XXrnI4wmKHIls0wzXMwQ20iXve_cY8MjawOrm_0vWgPCfb_oPmQIkqI1KTALt9.S1KwDHUZJHIPz8ET79Sx6oCNwrFhjVKIhRqz7aqzYL8'
    const decision = await decide(state, { now: 0 })
    expect(decision).toMatchObject({ do: 'forward', to: expect.stringContaining(PREVIEW) })
  })

  it('handles its own answers, and whatever it cannot read, where the check will fail', async () => {
    expect(await decide({ random: 'r' })).toEqual({ do: 'handle' })
    expect(await decide({ random: 'r', origin: MAIN })).toEqual({ do: 'handle' })
    expect(await decide('a'.repeat(64))).toEqual({ do: 'handle' })
    expect(await decide('')).toEqual({ do: 'handle' })
    expect(await decide({ origin: PREVIEW }, { now: NOW + 1e6 })).toEqual({ do: 'handle' })
    const foreign = createSealer(primitives, ['another'], STATE_PURPOSE)
    expect(await decide(await foreign.seal({ origin: PREVIEW }, 900, NOW))).toEqual({
      do: 'handle',
    })
    const cookie = createSealer(primitives, ['secret'], 'authjs.state')
    expect(await decide(await cookie.seal({ origin: PREVIEW }, 900, NOW))).toEqual({ do: 'handle' })
  })

  it('does not forward where it is not the proxy', async () => {
    const other = 'https://other.test/auth/callback/oa'
    expect(await decide({ origin: PREVIEW }, { callbackUrl: other })).toEqual({ do: 'handle' })
  })

  it('refuses to hand a code over to another provider, to no URL, or in the clear', async () => {
    for (const origin of [
      'https://preview.test/auth/callback/other',
      'https://preview.test/',
      'javascript:alert(1)//callback/oa',
      'http://preview.test/auth/callback/oa',
      'preview.test',
      1,
    ]) {
      expect(await decide({ origin })).toMatchObject({ do: 'reject' })
    }
  })

  it('forwards to a developer on the same machine', async () => {
    const origin = 'http://localhost:3000/auth/callback/oa'
    expect(await decide({ origin })).toMatchObject({ do: 'forward' })
  })
})
