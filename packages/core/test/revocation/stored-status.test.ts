import type { AuthInstance, SessionRequest } from '@siteauth/core'
import type { RevocationEntry } from '@siteauth/core/adapters'
import { encode } from '@siteauth/core/jwt'
import { describe, expect, it } from 'vitest'
import { SESSION_CLAIM } from '../../src/lib/session/revocation.ts'
import { createTestAuth, SECRET } from '../visitor.ts'

// What the log holds under the keys of a session, and what the session is by that. Polls tell nothing, so that the log is
// queried about each.

type World = Awaited<ReturnType<typeof createWorld>>
type Status = 'active' | 'replaced' | 'revoked'
type Entry = Pick<RevocationEntry, 'generation'> & { readonly of: keyof typeof PREFIXES }

const PREFIXES = { session: 's:', user: 'u:', token: 't:', provider: 'p:', closed: 'c:' } as const
const COOKIE = '__Secure-authjs.session-token'
const NOW = Math.floor(Date.now() / 1000) * 1000
const GRACE = 30_000
const SIGNED_IN_AT = NOW / 1000 - 600
const LATER = SIGNED_IN_AT * 1000 + 1
const CLAIMS = { sid: 'session', bgn: NOW - 600_000, gen: NOW - 500_000, rot: NOW - 400_000 }
const FROM_PROVIDER = { rk: { at: SIGNED_IN_AT, sid: 'a'.repeat(22), sub: 'b'.repeat(22) } }

async function createWorld(
  entries: readonly Entry[],
  claims: object,
  {
    now = NOW,
    check = 'always',
  }: { readonly now?: number; readonly check?: 'always' | 'on-renewal' } = {},
) {
  const calls: string[][] = []
  const until = new Date(NOW + 86_400_000)
  const token = await encode({
    token: { sub: 'ann', [SESSION_CLAIM]: { ...CLAIMS, ...claims } },
    secret: SECRET,
    salt: COOKIE,
  })
  const asked: unknown[] = []
  const auth = createTestAuth({
    callbacks: {
      jwt({ token: claims }) {
        asked.push(claims)
        return claims
      },
    },
    ports: { now: () => now },
    session: {
      strategy: 'jwt',
      revocation: {
        check,
        log: {
          end: ended => ended.map(({ key }) => ({ key, until, generation: NOW })),
          find(keys) {
            calls.push([...keys])
            return entries.flatMap(({ of, generation }) =>
              keys
                .filter(key => key.startsWith(PREFIXES[of]))
                .map(key => ({ key, until, generation })),
            )
          },
          since: () => ({ revocations: [], now: new Date(NOW) }),
        },
      },
    },
  })
  const request = () => ({
    headers: { cookie: `${COOKIE}=${token}` },
    url: 'https://app.example.com/',
  })
  return { auth, request, calls, asked }
}

/** A session that was replaced is neither over yet nor of any use: the application is not asked about its claims. */
async function statusOf({ auth, request, asked }: World): Promise<Status> {
  asked.length = 0
  if (await isRevoked(auth, request())) return 'revoked'
  return asked.length > 0 ? 'active' : 'replaced'
}

async function isRevoked({ sessions }: AuthInstance, request: SessionRequest): Promise<boolean> {
  const reasons: string[] = []
  const stop = await sessions.onEnd(request, reason => void reasons.push(reason))
  stop()
  return reasons.includes('revoked')
}

describe('a session of which the log holds', () => {
  it.each<[string, Status, Entry[], object?]>([
    ['nothing', 'active', []],
    ['that it was revoked', 'revoked', [{ of: 'session', generation: null }]],
    ['that its token was revoked', 'revoked', [{ of: 'token', generation: null }]],
    ['a new token since now', 'replaced', [{ of: 'session', generation: NOW }]],
    ['a new token since a while', 'replaced', [{ of: 'session', generation: NOW - GRACE + 1 }]],
    ['a new token for long', 'revoked', [{ of: 'session', generation: NOW - GRACE }]],
    ['its own token', 'active', [{ of: 'session', generation: CLAIMS.rot }]],
    ['an earlier token than its own', 'active', [{ of: 'session', generation: CLAIMS.rot - 1 }]],
    [
      'a first new token, of long ago',
      'revoked',
      [{ of: 'session', generation: 1 }],
      { rot: undefined },
    ],
    ['that no token follows', 'active', [{ of: 'closed', generation: null }]],
    [
      'that no token follows its own, for long',
      'revoked',
      [
        { of: 'session', generation: CLAIMS.rot },
        { of: 'closed', generation: null },
      ],
    ],
    [
      'that no token follows its own, since now',
      'replaced',
      [
        { of: 'session', generation: NOW },
        { of: 'closed', generation: null },
      ],
      { rot: NOW },
    ],
    ['that all of its user were revoked', 'revoked', [{ of: 'user', generation: null }]],
    ['that those of its user were revoked later', 'revoked', [{ of: 'user', generation: NOW }]],
    [
      'that those of its user were revoked, before its token was replaced',
      'revoked',
      [{ of: 'user', generation: CLAIMS.rot }],
    ],
    ['no id, and nothing of its user', 'active', [], { sid: null }],
    ['no id, and its user', 'revoked', [{ of: 'user', generation: NOW }], { sid: null }],
    ['a revocation of its user that it knows', 'active', [{ of: 'user', generation: CLAIMS.gen }]],
    [
      'a revocation of its user that it knows, and that no token follows',
      'active',
      [
        { of: 'user', generation: CLAIMS.gen },
        { of: 'closed', generation: null },
      ],
    ],
    [
      'a new token, and that those of its user were revoked',
      'revoked',
      [
        { of: 'session', generation: NOW },
        { of: 'user', generation: NOW },
      ],
    ],
    [
      'a new token, and that it was revoked by its provider',
      'revoked',
      [
        { of: 'session', generation: NOW },
        { of: 'provider', generation: NOW },
      ],
      FROM_PROVIDER,
    ],
    [
      'that its provider revoked all',
      'revoked',
      [{ of: 'provider', generation: null }],
      FROM_PROVIDER,
    ],
    [
      'that its provider revoked it later',
      'revoked',
      [{ of: 'provider', generation: LATER }],
      FROM_PROVIDER,
    ],
    [
      'that its provider revoked earlier ones',
      'active',
      [{ of: 'provider', generation: LATER - 1 }],
      { ...FROM_PROVIDER, gen: 0 },
    ],
  ])('%s is %s', async (_, status, entries, claims = {}) => {
    expect(await statusOf(await createWorld(entries, claims))).toBe(status)
  })

  it('a new token since a while, by the clock of the store, is replaced: that of the server is ahead', async () => {
    const entries = [{ of: 'session', generation: NOW - GRACE + 1 }] as const
    const world = await createWorld(entries, {}, { now: NOW + 60_000, check: 'on-renewal' })
    expect(await statusOf(world)).toBe('replaced')
  })

  it('all that it can be revoked by is requested at once', async () => {
    const { auth, request, calls } = await createWorld([], FROM_PROVIDER)
    await isRevoked(auth, request())
    const { rk } = FROM_PROVIDER
    expect(calls).toHaveLength(1)
    const keys = calls[0]?.filter(key => !key.startsWith('t:'))
    expect(keys?.toSorted()).toEqual([
      'c:session',
      `p:${rk.sid}`,
      `p:${rk.sub}`,
      's:session',
      'u:ann',
      'x:latest',
    ])
    expect(calls[0]?.filter(key => key.startsWith('t:'))).toHaveLength(1)
  })

  it('that it was revoked is known from then on, without another query', async () => {
    const { auth, request, calls } = await createWorld([{ of: 'user', generation: NOW }], {})
    expect(await auth.getSession(request())).not.toBeNull()
    expect(await isRevoked(auth, request())).toBe(true)
    const before = calls.length
    expect(await auth.getSession(request())).toBeNull()
    expect(await isRevoked(auth, request())).toBe(true)
    expect(calls).toHaveLength(before)
  })
})
