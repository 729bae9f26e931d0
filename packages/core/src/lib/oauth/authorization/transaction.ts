import { equalInConstantTime } from '#crypto'
import { lazily } from '../../base/awaitable.ts'
import { InvalidCheck } from '../../base/errors.ts'
import type { StartTime } from '../../base/start-time.ts'
import { toBase64Url, utf8 } from '../../crypto/encoding.ts'
import type { Sealer } from '../../crypto/jwe.ts'
import type { Claims } from '../../crypto/opened-token.ts'
import { STATE_PURPOSE } from '../../crypto/purposes.ts'
import type { CookieJar } from '../../http/cookies.ts'
import type { SentCookie } from '../../http/read-cookies.ts'
import type { ResolvedOAuthProvider } from '../provider/resolve-provider.ts'
import { serverIdentity } from '../provider/server.ts'
import type { CheckCookieNames } from './legacy-checks.ts'

/** One attempt to sign in at a provider: what must be known again when the answer comes. */
export interface Transaction {
  /** Tells attempts of one browser apart, as far as it has room for several; part of the cookie's name. */
  readonly id: string
  readonly provider: string
  /** Which server was asked, so that no other one's answer is taken for its. */
  readonly issuer: string | undefined
  readonly state: string | undefined
  readonly codeVerifier: string | undefined
  readonly nonce: string | undefined
  readonly redirectUri: string
  /** Where the visitor wants to be afterwards. */
  readonly returnTo: string | undefined
  /** Tells the browser that began from others. Undefined if nothing does. */
  readonly browser: string | undefined
  /** The id of the user that the account is added to. Undefined: someone wants to sign in. */
  readonly addTo: string | undefined
  /** Whether the session is to outlast the browser, as far as the visitor said. */
  readonly remember: boolean | undefined
  /** The `max_age` that was asked for, in seconds: the id_token must then prove it. */
  readonly maxAge: number | undefined
  /** In milliseconds, by the clock of the server that began it. */
  readonly createdAt: number
  /** The same by the clock of the store. Undefined if that was not known. */
  readonly start: StartTime | undefined
}

/** A transaction that begins. The challenge goes out, the verifier stays. */
export interface NewTransaction extends Transaction {
  readonly codeChallenge: string | undefined
}

/** Seals for one purpose. Must answer the same sealer for the same purpose, which keeps its keys. */
export type SealerFor = (purpose: string) => Sealer

/** How long a visitor may take at the provider, in seconds. */
const TRANSACTION_MAX_AGE = 900

const ID_LENGTH = 12
/** More than a browser has of ours at a time. */
const MAX_OPENED = 16

type TransactionProvider = Pick<
  ResolvedOAuthProvider,
  'id' | 'issuer' | 'discovery' | 'token' | 'checks'
>

/** Begins an attempt. */
export async function createTransaction(
  provider: TransactionProvider,
  attempt: {
    readonly redirectUri: string
    readonly returnTo: string | undefined
    readonly browser?: string | undefined
    readonly addTo?: string | undefined
    readonly remember?: boolean | undefined
    readonly start?: StartTime | undefined
    /** This deployment's own callback URL, where the answer goes through a redirect proxy. */
    readonly proxyOrigin: string | undefined
    /** The id, unless the state is sealed for a redirect proxy: its end cannot be chosen. 12 hexadecimal digits. */
    readonly slot: string
  },
  ports: {
    readonly sealerFor: SealerFor
    readonly randomHex: (bytes: number) => string
    readonly now: number
  },
): Promise<NewTransaction> {
  const { checks } = provider
  const { randomHex, now } = ports
  // An attempt that adds an account always has a state, even if the provider is configured without: otherwise, a
  // response that someone else sends would be taken for it.
  const hasState = checks.state || attempt.addTo !== undefined
  const state = hasState ? await createState(attempt, ports) : undefined
  // 32 bytes each: RFC 7636 §7.1 for the verifier, and as good for the nonce.
  const codeVerifier = checks.pkce ? randomHex(32) : undefined
  return {
    id: state ? idOf(state) : attempt.slot,
    provider: provider.id,
    issuer: serverIdentity(provider),
    state,
    codeVerifier,
    codeChallenge: codeVerifier && (await challengeFor(codeVerifier)),
    nonce: checks.nonce ? randomHex(32) : undefined,
    redirectUri: attempt.redirectUri,
    returnTo: attempt.returnTo,
    browser: attempt.browser,
    addTo: attempt.addTo,
    remember: attempt.remember,
    maxAge: undefined,
    createdAt: now,
    start: attempt.start,
  }
}

/** RFC 7636 §4.2: `S256`. */
async function challengeFor(codeVerifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(codeVerifier))))
}

/** A sealed transaction, ready to be set as a cookie. */
export interface TransactionCookie {
  readonly name: string
  readonly value: string
  /** In seconds. */
  readonly maxAge: number
  /** Browsers must send it when the provider's page posts a form: `SameSite=None; Secure`. */
  readonly crossSite: boolean
}

/** Seals an attempt into its own cookie, so that several can be in progress at once. */
export async function sealTransaction(
  transaction: Transaction,
  context: {
    readonly cookieName: string
    readonly formPost: boolean
    readonly sealerFor: SealerFor
    readonly now: number
  },
): Promise<TransactionCookie> {
  const { cookieName, sealerFor, now } = context
  const { id, state, ...rest } = transaction
  const { codeChallenge: _, ...claims } = rest as Partial<NewTransaction>
  const sealer = sealerFor(cookieName)
  const value = await sealer.seal({ ...claims, id, value: state ?? null }, TRANSACTION_MAX_AGE, now)
  return {
    name: `${cookieName}.${id}`,
    value,
    maxAge: TRANSACTION_MAX_AGE,
    crossSite: context.formPost,
  }
}

/** Why there is no transaction for an answer. */
export type TransactionFailure =
  /** The browser brought no cookie for this answer: too late, another browser, or consumed. */
  | 'missing'
  | 'expired'
  /** Not sealed by this application. */
  | 'unreadable'
  | 'of another provider'
  | 'of another server'
  | 'of another state'
  | 'of another browser'

/** Whether an answer belongs to an attempt of this browser. Either way, what was used is consumed. */
export type OpenedTransaction =
  | {
      readonly ok: true
      readonly transaction: Transaction
      readonly cookiesToClear: readonly string[]
    }
  | {
      readonly ok: false
      readonly reason: TransactionFailure
      readonly cookiesToClear: readonly string[]
    }

/**
 * Finds the attempt a response belongs to. Other attempts' cookies are left alone: an unsolicited
 * response must not break a sign-in in progress.
 */
export async function openTransaction(
  provider: TransactionProvider & Pick<ResolvedOAuthProvider, 'type'>,
  response: {
    /** The `state` that came back. */
    readonly state: string | null
    readonly cookies: CookieJar
    /** The cookies of attempts, decoded, in the order in which they came. Several can have one name. */
    readonly attempts: readonly SentCookie[]
    readonly cookieNames: CheckCookieNames
    /** The callback URL of this provider, for attempts that did not write theirs down. */
    readonly redirectUri: string
    readonly sealerFor: SealerFor
    readonly now: number
  },
): Promise<OpenedTransaction> {
  const { attempts, cookieNames, now, sealerFor } = response
  const sealer = sealerFor(cookieNames.state)
  const open = (cookie: SentCookie) => openCookie(cookie, sealer, now)
  const found =
    (await findByState(response.state, cookieNames.state, attempts, open)) ??
    (provider.checks.state
      ? null
      : await findNewest(provider.id, cookieNames.state, attempts, open))
  if (found) {
    // Names repeat: the cookie is that of an attempt that goes on.
    const cookiesToClear = found.content === 'of another state' ? [] : [found.name]
    const failure = failureOf(found.content, provider)
    if (failure) return { ok: false, reason: failure, cookiesToClear }
    // Sound: a content that is not a transaction is a failure.
    return { ok: true, transaction: found.content as Transaction, cookiesToClear }
  }
  const unknown = unaskedTransaction(provider, response.redirectUri, now)
  // Sign-ins that were in progress when the application moved on from Auth.js.
  const legacy = await olderChecks(({ openLegacyChecks }) => openLegacyChecks(provider, response))
  if (legacy) {
    const { cookiesToClear, ...checks } = legacy
    // When it began is not known: as early as can be.
    const createdAt = now - TRANSACTION_MAX_AGE * 1000
    return { ok: true, transaction: { ...unknown, ...checks, createdAt }, cookiesToClear }
  }
  const { state, pkce, nonce } = provider.checks
  if (state || pkce || nonce) return { ok: false, reason: 'missing', cookiesToClear: [] }
  // `checks: ['none']`: the application accepts unrequested responses, as some providers send them to begin a
  // sign-in.
  return { ok: true, transaction: unknown, cookiesToClear: [] }
}

const olderChecks = lazily(() => import('./legacy-checks.ts'))

/** The error for an answer that belongs to no attempt. */
export function transactionError(reason: TransactionFailure, provider: string): InvalidCheck {
  const what = reason.startsWith('of') ? `is one ${reason}` : `is ${reason}`
  return new InvalidCheck(
    `The cookie for this sign-in with ${JSON.stringify(provider)} ${what}. Start the sign-in again.`,
    { cause: { provider, reason } },
  )
}

async function createState(
  {
    proxyOrigin: origin,
    slot,
  }: { readonly proxyOrigin: string | undefined; readonly slot: string },
  {
    sealerFor,
    randomHex,
    now,
  }: { sealerFor: SealerFor; randomHex: (bytes: number) => string; now: number },
): Promise<string> {
  // 26 bytes are random. Servers of earlier versions find the cookie by the end of the state as well.
  if (origin === undefined) return randomHex(26) + slot
  // Read by the proxy, which may run Auth.js: its format.
  return sealerFor(STATE_PURPOSE).seal({ random: randomHex(32), origin }, TRANSACTION_MAX_AGE, now)
}

/** The end of a state: the slot, or random if the state is sealed. */
function idOf(state: string): string {
  return state.slice(-ID_LENGTH)
}

/**
 * The cookies of attempts, the newest first: RFC 6265 §5.4 has browsers send the oldest first. Only
 * so many are opened, because anyone on a sibling host can plant hundreds.
 */
function newestFirst(
  attempts: readonly SentCookie[],
  isWanted: (cookie: SentCookie) => boolean,
): readonly SentCookie[] {
  return attempts.filter(isWanted).reverse().slice(0, MAX_OPENED)
}

type Content = Transaction | 'expired' | 'unreadable'
type Failed = Exclude<Content, Transaction> | 'of another state'
type Open = (cookie: SentCookie) => Promise<Content>

async function openCookie(
  { name, value }: SentCookie,
  sealer: Sealer,
  now: number,
): Promise<Content> {
  const opened = await sealer.open(value, now)
  if (typeof opened === 'string') return opened === 'expired' ? 'expired' : 'unreadable'
  const transaction = readTransaction(opened.claims)
  // A cookie moved to another name is not ours.
  return transaction && name.endsWith(`.${transaction.id}`) ? transaction : 'unreadable'
}

function readTransaction(claims: Claims): Transaction | null {
  const { id, value, provider, redirectUri, createdAt, start, maxAge, remember } = claims as Record<
    string,
    unknown
  >
  if (typeof id !== 'string' || typeof provider !== 'string') return null
  if (typeof redirectUri !== 'string' || typeof createdAt !== 'number') return null
  return {
    id,
    provider,
    redirectUri,
    createdAt,
    start: start as StartTime | undefined, // sealed by us
    state: text(value),
    issuer: text(claims['issuer']),
    codeVerifier: text(claims['codeVerifier']),
    nonce: text(claims['nonce']),
    returnTo: text(claims['returnTo']),
    browser: text(claims['browser']),
    addTo: text(claims['addTo']),
    remember: typeof remember === 'boolean' ? remember : undefined,
    maxAge: typeof maxAge === 'number' ? maxAge : undefined,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

async function findByState(
  state: string | null,
  cookieName: string,
  attempts: readonly SentCookie[],
  open: Open,
): Promise<{ name: string; content: Content | Failed } | null> {
  if (!state) return null
  const name = `${cookieName}.${idOf(state)}`
  let failure: Failed | null = null
  for (const cookie of newestFirst(attempts, each => each.name === name)) {
    const content = await open(cookie)
    if (typeof content === 'string') failure ??= content
    // One that has no state is not found by it.
    else if (content.state !== undefined) {
      if (equalInConstantTime(content.state, state)) return { name, content }
      failure = 'of another state'
    }
  }
  return failure && { name, content: failure }
}

/** Without a state nothing tells the attempts apart, and the last one is the likeliest. */
async function findNewest(
  provider: string,
  cookieName: string,
  attempts: readonly SentCookie[],
  open: Open,
): Promise<{ name: string; content: Transaction } | null> {
  let newest: { name: string; content: Transaction } | null = null
  const length = cookieName.length + 1 + ID_LENGTH
  for (const cookie of newestFirst(attempts, each => each.name.length === length)) {
    const content = await open(cookie)
    if (typeof content === 'string' || content.provider !== provider) continue
    // One that has a state is found by it alone.
    if (content.state !== undefined) continue
    if (!newest || content.createdAt > newest.content.createdAt) {
      newest = { name: cookie.name, content }
    }
  }
  return newest
}

function failureOf(
  content: Content | Failed,
  provider: TransactionProvider,
): TransactionFailure | null {
  if (typeof content === 'string') return content
  if (content.provider !== provider.id) return 'of another provider'
  // RFC 9700 §4.4: an answer counts only for the server that was asked.
  if (content.issuer !== serverIdentity(provider)) return 'of another server'
  const { checks } = provider
  // A value that was not created cannot be checked: the attempt began when the provider was configured otherwise.
  if (checks.pkce && !content.codeVerifier) return 'missing'
  return checks.nonce && !content.nonce ? 'missing' : null
}

function unaskedTransaction(
  provider: TransactionProvider,
  redirectUri: string,
  now: number,
): Transaction {
  return {
    id: '',
    provider: provider.id,
    issuer: serverIdentity(provider),
    state: undefined,
    codeVerifier: undefined,
    nonce: undefined,
    redirectUri,
    returnTo: undefined,
    browser: undefined,
    // An unrequested response, or an attempt of an older library, which did not store the user: so it adds nothing.
    addTo: undefined,
    remember: undefined,
    maxAge: undefined,
    createdAt: now,
    start: undefined,
  }
}
