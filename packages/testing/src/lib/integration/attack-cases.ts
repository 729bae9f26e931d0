import assert from 'node:assert/strict'
import {
  type AttackExtent,
  attackTargets,
  CLAIMS,
  cellsOf,
  claimsOfGuarded,
  disguised,
  GUARDED_PATHS,
  MALFORMED_HOSTS,
  METHODS,
  methodTargets,
} from './guard-attacks.ts'
import { GUARDED_TEXT, SIGN_IN_TEXT } from './guard-probe.ts'
import { DATA, PAGE } from './integration-case.ts'
import {
  describe as describeRequest,
  hangUpOn,
  type RawRequest,
  type RawResponse,
  sendRaw,
} from './raw-request.ts'
import type { Site } from './site.ts'

/** Where the guards of an application are: in its routes, or one in front of everything. */
export type GuardPlace = 'routes' | 'front'

/** An application whose guards are attacked. */
export interface AttackedSite {
  readonly site: Site
  readonly place: GuardPlace
  /** Requests that run guarded server functions, actions and the like, with the headers that their own pages send. */
  readonly functionCalls: readonly RawRequest[]
  /** How many of the attacks are sent: `all` unless it says `sample`. */
  readonly attacks?: AttackExtent | undefined
}

/** One sentence about the guards of every application. */
export interface AttackCase {
  readonly name: string
  /** The guards that it is about, if not both. */
  readonly place?: GuardPlace
  readonly run: (attacked: AttackedSite) => Promise<void>
}

/** All cases of `guardSuite`, for runners other than Vitest. */
export const ATTACK_CASES: readonly AttackCase[] = [
  {
    name: 'a user passes every guard, and each handler counts that it ran',
    async run({ site, functionCalls }) {
      const cookie = (await site.visitorAs('Ada')).cookieHeader()
      const requests = [...GUARDED_PATHS.map(target => ({ target })), ...functionCalls]
      for (const request of requests) {
        const before = await countOf(site)
        const response = await sendAs(site, cookie, request)
        const ran = (await countOf(site)) - before
        assert.ok(
          ran > 0,
          `${describeRequest(request)} ran nothing: ${response.body.slice(0, 500)}`,
        )
      }
    },
  },
  {
    name: 'the sign-in page is open if `except` names it, and so is its form',
    place: 'front',
    async run({ site }) {
      const page = await sendRaw(site.origin, { target: '/login?callbackUrl=%2F', headers: PAGE })
      assert.equal(page.status, 200)
      assert.ok(page.body.includes(SIGN_IN_TEXT), page.body.slice(0, 500))
      const ada = site.visitor()
      const body = new URLSearchParams({ name: 'Ada', password: 'right' })
      await site.visit(ada, '/login', { method: 'POST', body, headers: PAGE })
      const passed = await sendAs(site, ada.cookieHeader(), { target: '/files/a', headers: PAGE })
      assert.ok(passed.body.includes(GUARDED_TEXT), passed.body.slice(0, 500))
    },
  },
  {
    name: 'no target opens a guarded route',
    run: attacked =>
      denyAll(
        attacked,
        attackTargets(new URL(attacked.site.origin).host, extentOf(attacked)).map(target => ({
          target,
          headers: PAGE,
        })),
      ),
  },
  {
    name: 'no method opens a guarded route',
    run(attacked) {
      const requests = methodTargets().flatMap(target => [
        { target, headers: PAGE },
        { target, headers: DATA },
      ])
      const cells = cellsOf(METHODS, requests, extentOf(attacked))
      return denyAll(
        attacked,
        cells.map(([method, request]) => ({ method, ...request })),
      )
    },
  },
  {
    name: 'no header opens a guarded route',
    run(attacked) {
      const guarded = [
        ...GUARDED_PATHS.map(target => ({ target })),
        { method: 'POST', target: '/files/a' },
        { target: '/files/a/../login' },
        { target: '/%' },
        { method: 'POST', target: '/files/%ff' },
      ]
      const open = [
        { target: '/login' },
        { method: 'POST', target: '/login' },
        { target: '/auth/signin' },
      ]
      const cells = [
        ...cellsOf<SentHeaders, RawRequest>(asPages(CLAIMS), guarded, extentOf(attacked)),
        ...cellsOf<SentHeaders, RawRequest>(asPages(claimsOfGuarded()), open, extentOf(attacked)),
      ]
      return denyAll(
        attacked,
        cells.map(([headers, request]) => ({ ...request, headers })),
      )
    },
  },
  {
    name: 'a request with a malformed Host header gets 400, whatever it is for',
    async run(attacked) {
      const targets = ['/files/a', '/item/1', '/only-ada', '/', '/auth/session']
      await denyAll(
        attacked,
        [
          ...cellsOf(MALFORMED_HOSTS, targets, extentOf(attacked)).map(([host, target]) => ({
            target,
            headers: { ...PAGE, host },
          })),
          ...MALFORMED_HOSTS.map(host => ({
            target: '/login',
            headers: {
              ...PAGE,
              host: host.replace('/login', '/files/a').replace('\\login', '\\files\\a'),
            },
          })),
        ],
        ({ status }, { headers }) => {
          // Some servers make a request of it before anything else runs, and fail if there is none.
          const isServers = status === 500 && !canBeRequested(`http://${headers?.['host']}/`)
          if (!isServers) assert.equal(status, 400)
        },
      )
    },
  },
  {
    name: 'a visitor who hangs up while the request is denied runs nothing',
    async run({ site, functionCalls }) {
      const ben = (await site.visitorAs('Ben')).cookieHeader()
      const requests = [
        ...GUARDED_PATHS.map(target => ({ target, headers: PAGE })),
        ...GUARDED_PATHS.map(target => ({ target, headers: DATA })),
        { target: '/only-ada', headers: { ...PAGE, cookie: ben } },
        ...functionCalls,
      ]
      const before = await countOf(site)
      for (const afterMs of [0, 1, 2, 5, 10]) {
        const slow = requests.map(request => ({
          ...request,
          headers: { ...request.headers, [SLOW]: '1' },
        }))
        await Promise.all(slow.map(request => hangUpOn(site.origin, request, afterMs)))
      }
      // Whatever is still under way is older than this request.
      await sendRaw(site.origin, { target: '/files/a' })
      assert.equal((await countOf(site)) - before, 0)
    },
  },
  {
    name: 'no server function runs without a session, whatever its address resembles',
    async run(attacked) {
      const calls = attacked.functionCalls.flatMap(disguised)
      const claims = attacked.functionCalls.flatMap(call =>
        CLAIMS.map(headers => ({ ...call, headers: { ...call.headers, ...headers } })),
      )
      const hosts = attacked.functionCalls.flatMap(call =>
        MALFORMED_HOSTS.map(host => ({ ...call, headers: { ...call.headers, host } })),
      )
      await denyAll(attacked, [...calls, ...claims, ...hosts])
    },
  },
]

type SentHeaders = NonNullable<RawRequest['headers']>

function extentOf({ attacks = 'all' }: AttackedSite): AttackExtent {
  return attacks
}

/** Headers as of somebody who opens a page: a guard may treat programs otherwise, and more strictly. */
function asPages(all: readonly SentHeaders[]): readonly SentHeaders[] {
  return all.map(headers => ({ ...PAGE, ...headers }))
}

/** Whether the web's `Request` takes a URL: none without a host, and none with a user's name. */
function canBeRequested(url: string): boolean {
  try {
    return new Request(url).url !== ''
  } catch {
    return false
  }
}

/** An application may take some milliseconds to send its response to such a request, as session stores and compressors do. */
const SLOW = 'x-slow-response'

/** How many requests are sent at once. */
const AT_ONCE = 20

/** A request, and who sends it. */
interface Attack {
  readonly who: string
  readonly cookie: string | undefined
  readonly request: RawRequest
}

/** A further condition on a response. */
type Check = (response: RawResponse, request: RawRequest) => void

/** Sends requests as an anonymous visitor, and as a user whom a guard rejects. Nothing behind a guard may run. */
async function denyAll(
  { site, place }: AttackedSite,
  requests: readonly RawRequest[],
  check?: Check,
): Promise<void> {
  const ben = (await site.visitorAs('Ben')).cookieHeader()
  const attacks = requests.flatMap((request): Attack[] => [
    { who: 'nobody', cookie: undefined, request },
    // In front, the guard rejects all users but Ada; in the routes, that of one route does.
    ...(place === 'front' || request.target.includes('only-ada')
      ? [{ who: 'Ben', cookie: ben, request }]
      : []),
  ])
  const problems: string[] = []
  for (let at = 0; at < attacks.length; at += AT_ONCE) {
    const batch = attacks.slice(at, at + AT_ONCE)
    const before = await countOf(site)
    const responses = await Promise.all(batch.map(attack => sendAttack(site, attack)))
    problems.push(
      ...responses.flatMap((response, index) => findProblems(batch[index], response, check)),
    )
    if ((await countOf(site)) === before) continue
    for (const attack of batch) {
      const count = await countOf(site)
      const { status } = await sendAttack(site, attack)
      if ((await countOf(site)) !== count) problems.push(`${lineOf(attack)} → ${status}, and ran`)
    }
    problems.push('a handler ran')
  }
  assert.deepEqual([...new Set(problems)], [], `of ${attacks.length} requests`)
}

function findProblems(
  attack: Attack | undefined,
  response: RawResponse,
  check: Check = () => {},
): readonly string[] {
  const line = `${attack && lineOf(attack)} → ${response.status}`
  const shown = response.body.includes(GUARDED_TEXT) ? [`${line}, and shows it`] : []
  try {
    if (attack) check(response, attack.request)
    return shown
  } catch (error) {
    return [...shown, `${line}: ${error instanceof Error ? error.message : error}`]
  }
}

function lineOf({ who, request }: Attack): string {
  return `${who}: ${describeRequest(request)}`
}

function sendAttack(site: Site, { cookie, request }: Attack): Promise<RawResponse> {
  return sendAs(site, cookie, request)
}

function sendAs(
  { origin }: Site,
  cookie: string | undefined,
  { headers, ...request }: RawRequest,
): Promise<RawResponse> {
  const all = { ...headers, ...(cookie === undefined ? {} : { cookie }) }
  return sendRaw(origin, { ...request, headers: all })
}

async function countOf({ origin }: Site): Promise<number> {
  const response = await fetch(`${origin}/ran`)
  const text = await response.text()
  assert.ok(
    response.status === 200 && /^\d+$/.test(text.trim()),
    `GET /ran answers ${response.status}: ${text}`,
  )
  return Number(text)
}
