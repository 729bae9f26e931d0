import VK from '@siteauth/core/providers/vk'
import WeChat from '@siteauth/core/providers/wechat'
import { describe, expect, it } from 'vitest'
import { MemoryAdapter } from '../../../adapters/src/memory.ts'
import { createTestAuth, Visitor } from '../visitor.ts'
import { tokenOf } from './people.ts'

// Providers that refresh tokens in a way of their own, and stand-ins that insist on it.

const HOUR = 3_600_000
const CLIENT = { clientId: 'ID', clientSecret: 'SECRET' }

/** Somebody who has signed in with one of them. */
async function signedIn(
  provider: ReturnType<typeof VK> | ReturnType<typeof WeChat>,
  answer: (url: URL, form: URLSearchParams) => unknown,
  kept: 'in a store' | 'in a cookie',
) {
  const clock = { now: Date.now() }
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input))
    const said = answer(url, new URLSearchParams(String(init?.body ?? '')))
    return said instanceof Response ? said : Response.json(said)
  }
  const auth = createTestAuth({
    adapter: kept === 'in a store' ? MemoryAdapter() : undefined,
    account: { storeTokensInCookie: true },
    session: { strategy: 'jwt' },
    providers: [provider],
    ports: { now: () => clock.now, fetch },
  })
  const ada = new Visitor(auth.handle)
  const started = await ada.post(`/signin/${provider.id}`)
  const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
  const answered = new URLSearchParams({ code: 'CODE', state, device_id: 'DEVICE' })
  await ada.get(`/callback/${provider.id}?${answered}`)
  const token = () => tokenOf(auth, ada, { provider: provider.id })
  return { auth, clock, token }
}

const STORES = ['in a store', 'in a cookie'] as const

describe.each(STORES)('VK, tokens %s', kept => {
  /** It wants to hear the device that it named at the sign-in, each time. */
  function answer(url: URL, form: URLSearchParams): unknown {
    if (url.pathname === '/oauth2/user_info') return { user: { user_id: '1' } }
    const isOurs = form.get('device_id') === 'DEVICE' && form.get('client_id') === 'ID'
    if (!isOurs || url.href !== 'https://id.vk.ru/oauth2/auth') {
      return Response.json({ error: 'invalid_request' }, { status: 400 })
    }
    if (form.get('grant_type') === 'authorization_code') return tokens(1)
    const [, number] = /^refresh (\d)$/.exec(form.get('refresh_token') ?? '') ?? []
    if (number === '3') return { error: 'invalid_grant' }
    const isAsked = form.get('grant_type') === 'refresh_token' && form.get('state')?.length === 32
    return number && isAsked ? tokens(Number(number) + 1) : { error: 'invalid_request' }
  }
  const tokens = (number: number) => ({
    access_token: `access ${number}`,
    refresh_token: `refresh ${number}`,
    expires_in: 3600,
  })

  it('are refreshed again and again, until that has ended', async () => {
    const { clock, token } = await signedIn(VK(CLIENT), answer, kept)
    for (const expected of ['access 1', 'access 2', 'access 3', 'invalid_grant']) {
      expect(await token()).toBe(expected)
      clock.now += HOUR
    }
  })
})

describe.each(STORES)('WeChat, tokens %s', kept => {
  const wechat = (refreshed: unknown) => {
    const refresh_token = crypto.randomUUID()
    const wanted = `https://api.weixin.qq.com/sns/oauth2/refresh_token?appid=ID&grant_type=refresh_token&refresh_token=${refresh_token}`
    return (url: URL) => {
      if (url.pathname === '/sns/userinfo') return { openid: 'ada' }
      const first = { access_token: 'first', refresh_token, expires_in: 7200, openid: 'ada' }
      if (url.pathname === '/sns/oauth2/access_token') return first
      return url.href === wanted ? refreshed : { errcode: 40003 }
    }
  }
  const after = async (refreshed: unknown) => {
    const { auth, clock, token } = await signedIn(WeChat(CLIENT), wechat(refreshed), kept)
    expect(await token()).toBe('first')
    clock.now += 2 * HOUR
    return { auth, token: await token() }
  }

  it('are refreshed at a place of their own', async () => {
    const answer = { errcode: 0, access_token: 'second', expires_in: 7200 }
    expect((await after(answer)).token).toBe('second')
  })

  it.each([
    [{ errcode: 42002, errmsg: 'refresh_token timeout' }, 'invalid_grant'],
    [{ errcode: 40030, errmsg: 'invalid refresh_token' }, 'invalid_grant'],
    [{ errcode: -1, errmsg: 'system busy' }, 'unavailable'],
    [{ errcode: 40013, errmsg: 'invalid appid' }, 'refused'],
  ])('are not where it says %j', async (answer, code) => {
    expect((await after(answer)).token).toBe(code)
  })

  it('are not where a page comes instead', async () => {
    const { auth, token } = await after(new Response('<html>', { status: 502 }))
    expect(token).toBe('unavailable')
    expect(JSON.stringify(auth.errors.map(({ cause }) => cause))).not.toContain('refresh_token=')
  })
})
