import { describe, expect, it } from 'vitest'
import { Visitor } from '../visitor.ts'
import { createWorld, requestOf, STRATEGIES, tokenOf } from './people.ts'

const HOUR = 3_600_000

describe.each(STRATEGIES)('an access token from a store, %s sessions', strategy => {
  it('is the one of the sign-in for as long as it is valid', async () => {
    const { auth, provider, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    const request = requestOf(ada)
    expect(await auth.accounts.getAccessToken(request, 'op')).toMatchObject({
      accessToken: 'access-ada-1',
      tokenType: 'bearer',
      scopes: ['read'],
      provider: 'op',
      accountId: 'ada',
    })
    expect(auth.takeSetCookies(request)).toEqual([])
    expect(provider.refreshes()).toBe(0)
  })

  it('is refreshed before it expires, and then kept', async () => {
    const { auth, clock, provider, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    clock.now += HOUR - 59_000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += 60_000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    expect(provider.refreshes()).toBe(1)
  })

  it('is refreshed again and again, each time with the newest refresh token', async () => {
    const { auth, clock, provider, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    for (let time = 2; time < 6; time++) {
      clock.now += HOUR
      expect(await tokenOf(auth, ada)).toBe(`access-ada-${time}`)
    }
    expect(provider.refreshes()).toBe(4)
  })

  it('is for nobody who is not signed in', async () => {
    const { auth, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    const copied = requestOf(ada)
    await ada.post('/signout')
    await expect(auth.accounts.getAccessToken(copied, 'op')).rejects.toMatchObject({
      code: 'not_signed_in',
    })
  })

  it('is for nobody whose session was ended, though this process remembers the token', async () => {
    const { auth, adapter, signIn } = createWorld({}, strategy)
    const ada = await signIn('ada')
    await tokenOf(auth, ada)
    const user = await adapter.getUserByEmail('ada@example.test')
    await auth.users.endSessions(user?.id ?? '')
    expect(await tokenOf(auth, ada)).toBe('not_signed_in')
  })
})

describe('many who ask at once', () => {
  it('in one process make one request', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    clock.now += HOUR
    const tokens = await Promise.all(Array.from({ length: 50 }, () => tokenOf(auth, ada)))
    expect(new Set(tokens)).toEqual(new Set(['access-ada-2']))
    expect(provider.refreshes()).toBe(1)
  })

  it('at four servers make one request', async () => {
    const { node, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    clock.now += HOUR
    const nodes = [node(), node(), node(), node()]
    const asked = nodes.flatMap(auth => Array.from({ length: 50 }, () => tokenOf(auth, ada)))
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['access-ada-2']))
    expect(provider.refreshes()).toBe(1)
  })
})

describe('what a provider says', () => {
  it('counts, where it rotates nothing: the refresh token stays', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    provider.ways.rotates = false
    const ada = await signIn('ada')
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-3')
  })

  it('may be nothing of when a token expires: it is good until it is refused', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    provider.ways.expiresIn = undefined
    const ada = await signIn('ada')
    clock.now += 20 * HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    expect(await tokenOf(auth, ada, { rejectedToken: 'access-ada-1' })).toBe('access-ada-2')
    expect(await tokenOf(auth, ada, { rejectedToken: 'access-ada-1' })).toBe('access-ada-2')
    expect(provider.refreshes()).toBe(1)
  })

  it('of one token is not taken for what it says of the next', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.ways.expiresIn = undefined
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
  })

  it('cannot be asked without a refresh token', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    provider.ways.givesRefreshTokens = false
    const ada = await signIn('ada')
    clock.now += HOUR - 10_000
    expect(await tokenOf(auth, ada)).toBe('access-ada-1') // for ten seconds yet
    clock.now += 10_000
    expect(await tokenOf(auth, ada)).toBe('no_refresh_token')
  })

  it('is waited for if it is down: the old token serves while it is valid', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.ways.answer = async () => new Response('busy', { status: 503 })
    provider.ways.rotates = false
    clock.now += HOUR - 10_000
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    clock.now += 10_000
    expect(await tokenOf(auth, ada)).toBe('unavailable')
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.test' } })
    provider.ways.answer = undefined
    clock.now += 5000
    expect(await tokenOf(auth, ada)).toMatch(/^access-ada-/)
  })

  it('is not asked for a while after it failed', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.ways.answer = async () => new Response('busy', { status: 503 })
    clock.now += HOUR
    await tokenOf(auth, ada)
    await tokenOf(auth, ada)
    expect(provider.refreshes()).toBe(1)
  })

  it('is told apart from what it says of the application: refused', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.ways.answer = async () => Response.json({ error: 'invalid_client' }, { status: 401 })
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('refused')
    expect(auth.errors.map(error => error.message).join()).toContain('refused to refresh')
  })
})

describe('an odd answer', () => {
  const odd: readonly (readonly [string, () => Response, string])[] = [
    ['a redirect', () => Response.redirect('https://evil.test/token', 307), 'unavailable'],
    ['a page', () => new Response('<html>', { status: 200 }), 'unavailable'],
    ['a page with status 400', () => new Response('<html>', { status: 400 }), 'unavailable'],
    ['nothing', () => new Response(null, { status: 204 }), 'unavailable'],
    ['a list', () => Response.json([]), 'unavailable'],
    ['two megabytes', () => Response.json({ access_token: 'a'.repeat(2e6) }), 'unavailable'],
    ['a number', () => Response.json({ access_token: 5 }), 'unavailable'],
    [
      'invalid_grant of a server that fails',
      () => Response.json({ error: 'invalid_grant' }, { status: 500 }),
      'unavailable',
    ],
    [
      'invalid_grant of one that is asked too often',
      () => Response.json({ error: 'invalid_grant' }, { status: 429 }),
      'unavailable',
    ],
    ['a time that is none', () => Response.json({ access_token: 'x', expires_in: 'soon' }), 'x'],
    ['names of ours', () => Response.json({ access_token: 'x', userId: 'eve', type: 'y' }), 'x'],
    ['another case', () => Response.json({ access_token: 'x', token_type: 'BEARER' }), 'x'],
    ['a list of scopes', () => Response.json({ access_token: 'x', scope: ['a', 'b'] }), 'x'],
  ]

  it.each(odd)('such as %s costs nobody their grant', async (_, answer, outcome) => {
    const { auth, clock, provider, signIn } = createWorld()
    provider.ways.rotates = false
    const ada = await signIn('ada')
    clock.now += HOUR
    provider.ways.answer = async () => answer()
    expect(await tokenOf(auth, ada)).toBe(outcome)
    provider.ways.answer = undefined
    clock.now += HOUR
    const options = { rejectedToken: 'x' }
    expect(await tokenOf(auth, ada, options)).toMatch(/^access-ada-/)
    expect(await auth.accounts.list(requestOf(ada))).toMatchObject([{ accountId: 'ada' }])
  })
})

describe('what else a provider calls a grant that has ended', () => {
  it.each([
    [{ error: 'bad_refresh_token' }, 200], // GitHub
    [{ ok: false, error: 'invalid_refresh_token' }, 200], // Slack
    [{ status: 'BAD_REFRESH_TOKEN', message: 'missing or unknown refresh token' }, 400], // HubSpot
    [{ error: 'Bad Request', status: 400, message: 'Invalid refresh token' }, 400], // Twitch
    [
      {
        error: 'invalid_request',
        error_description: 'Value passed for the token was invalid.',
      },
      400,
    ], // X
  ])('%j with status %i', async (body, status) => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.ways.answer = async () => Response.json(body, { status })
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
  })
})

describe('a wish', () => {
  it.each([Number.NaN, -1])('for %s seconds is none', async minValidity => {
    const { auth, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    const asked = auth.accounts.getAccessToken(requestOf(ada), 'op', {
      minValiditySeconds: minValidity,
    })
    await expect(asked).rejects.toThrow('minValiditySeconds: expected a number of seconds')
    expect(provider.refreshes()).toBe(0)
  })
})

describe('a grant that has ended', () => {
  it('is told of once, and signs nobody out', async () => {
    const told: unknown[] = []
    const events = { accountError: (message: unknown) => void told.push(message) }
    const { auth, node, clock, provider, signIn } = createWorld({ events })
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(await tokenOf(auth, ada)).toBe('invalid_grant')
    expect(await tokenOf(node(), ada)).toBe('invalid_grant')
    expect(provider.refreshes()).toBe(1)
    expect(told).toMatchObject([{ account: { provider: 'op', providerAccountId: 'ada' } }])
    expect(await ada.session()).toMatchObject({ user: { email: 'ada@example.test' } })
    expect(await auth.accounts.list(requestOf(ada))).toMatchObject([
      { accountId: 'ada', canRefresh: false, error: 'RefreshTokenError' },
    ])
  })

  it('is begun anew by the next sign-in', async () => {
    const { auth, clock, provider, signIn } = createWorld()
    const ada = await signIn('ada')
    provider.endGrants()
    clock.now += HOUR
    await tokenOf(auth, ada)
    await signIn('ada', { visitor: ada })
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += HOUR
    expect(await tokenOf(auth, ada)).toBe('access-ada-3')
    expect(await auth.accounts.list(requestOf(ada))).toMatchObject([{ error: null }])
  })
})

describe('somebody with several accounts at a provider', () => {
  it('is asked which', async () => {
    const { auth, signIn } = createWorld()
    const ada = await signIn('ada')
    await signIn('ada-at-work', { visitor: ada })
    expect(await tokenOf(auth, ada)).toBe('ambiguous_account')
    expect(await tokenOf(auth, ada, { accountId: 'ada' })).toBe('access-ada-1')
    expect(await tokenOf(auth, ada, { accountId: 'ada-at-work' })).toBe('access-ada-at-work-2')
  })
})

describe('a token that lives for a few seconds', () => {
  it('is refreshed at half of its life, and not by every call', async () => {
    const { auth, clock, provider, signIn } = createWorld({ account: { tokenCacheSeconds: 0 } })
    provider.ways.expiresIn = 10
    const ada = await signIn('ada')
    clock.now += 4000
    expect(await tokenOf(auth, ada)).toBe('access-ada-1')
    clock.now += 2000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    clock.now += 4000
    expect(await tokenOf(auth, ada)).toBe('access-ada-2')
    expect(provider.refreshes()).toBe(1)
  })
})

describe('a provider with a token request of its own', () => {
  const withHooks = (refresh: boolean) => {
    const world = createWorld()
    const request = () => ({ access_token: 'first', refresh_token: 'again', expires_in: 3600 })
    const provider = {
      ...world.provider.config(),
      token: {
        request,
        ...(refresh && {
          refresh: ({ refreshToken }: { refreshToken: string }) => ({
            access_token: `after ${refreshToken}`,
            expires_in: 3600,
          }),
        }),
      },
      userinfo: { request: () => ({ id: 'ada' }) },
    }
    const auth = world.node({ providers: [provider] })
    return { ...world, auth, visitor: new Visitor(auth.handle) }
  }

  it('refreshes in its own way', async () => {
    const { auth, clock, signIn, visitor } = withHooks(true)
    await signIn('ada', { visitor })
    clock.now += HOUR
    expect(await tokenOf(auth, visitor)).toBe('after again')
  })

  it('is told that it needs one', async () => {
    const { auth, clock, signIn, visitor } = withHooks(false)
    await signIn('ada', { visitor })
    clock.now += HOUR
    expect(await tokenOf(auth, visitor)).toBe('refused')
    expect(JSON.stringify(auth.errors[0]?.cause)).toContain('no_refresh_hook')
  })
})
