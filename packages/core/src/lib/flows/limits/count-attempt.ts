import { primitives } from '#crypto'
import { TooManyAttempts } from '../../base/errors.ts'
import type { LimitKind, LimitRule } from '../../base/stores.ts'
import type { Limits, ResolvedConfig } from '../../config/resolved-config.ts'
import { toBase64Url } from '../../crypto/encoding.ts'
import { PURPOSES } from '../../crypto/purposes.ts'
import { clientAddress } from '../../limits/client-address.ts'
import { networkOf } from '../../limits/network-of.ts'
import { ruleForKnownBrowsers } from '../../limits/rules.ts'
import {
  accountDigest,
  hasSignedInTo,
  type KnownBrowser,
  knownBrowserCookie,
} from '../cookies/known-browser.ts'
import type { Incoming } from '../request/incoming.ts'

/** An attempt that is limited. */
export interface Attempt {
  readonly kind: LimitKind
  /** The id of the provider. */
  readonly provider: string
  /** The accounts it is about, by every name that was entered. Empty if none was. */
  readonly accounts: readonly string[]
}

/** An attempt that was let through. */
export interface AllowedAttempt {
  /** To be called when it was right: then earlier ones no longer count against the account. */
  succeeded(): Promise<void>
}

/** The count under one key. */
interface Count {
  readonly by: 'account' | 'network' | 'browser'
  readonly key: string
  readonly rule: LimitRule
}

/** Attempts that can be guessed: a success resets the count. */
const GUESSED: readonly LimitKind[] = ['credentials', 'password', 'code']

/** Counts an attempt everywhere that it counts. Throws a `TooManyAttempts` if it is one too many. */
export async function countAttempt(
  config: ResolvedConfig,
  limits: Limits,
  request: Incoming,
  attempt: Attempt,
): Promise<AllowedAttempt> {
  const { kind, provider } = attempt
  const limiter = await limits.openLimiter()
  const counts = await countsFor(config, limits, request, attempt)
  for (const { by, key, rule } of counts) {
    const wait = await limiter.take(key, rule, config.ports.now())
    if (wait > 0) {
      const failure = new TooManyAttempts(`There were too many attempts by one ${by}: ${kind}.`)
      failure.retryAfter = Math.ceil(wait / 1000)
      await config.events.tooManyAttempts?.({
        kind,
        provider,
        by,
        retryAfter: failure.retryAfter,
      })
      throw failure
    }
  }
  return {
    async succeeded() {
      if (!GUESSED.includes(kind)) return
      for (const { by, key } of counts) if (by !== 'network') await limiter.forget(key)
    },
  }
}

/**
 * The network first: one with too many attempts does not use up those of an account. A browser that signed in to the
 * account before counts by itself, whatever others do to the account or from its network; and with all others that
 * did, since an attacker who knew the password once may have signed in with thousands.
 */
async function countsFor(
  config: ResolvedConfig,
  limits: Limits,
  request: Incoming,
  { kind, accounts }: Attempt,
): Promise<readonly Count[]> {
  const { account: accountRules = [], network: networkRule } = limits.rules[kind]
  const digests = await Promise.all(accounts.map(account => accountDigest(config, account)))
  const cookie = await knownBrowserCookie.read(config, request)
  const browser =
    cookie && (await isKnownBrowserFor(config, cookie, kind, digests)) ? cookie.id : null
  const counts: Count[] = []
  const isByAccount = digests.length > 0 && accountRules.length > 0
  const network = networkRule && !(browser && isByAccount) && networkKey(config, limits, request)
  if (networkRule && browser && !isByAccount) {
    counts.push({ by: 'browser', key: `${kind}.b.${browser}`, rule: networkRule })
  } else if (networkRule && network) {
    counts.push({
      by: 'network',
      key: `${kind}.n.${await digest(config, network)}`,
      rule: networkRule,
    })
  }
  for (const account of digests) {
    for (const [index, rule] of accountRules.entries()) {
      const key = `${kind}.a${index}.${account}`
      if (browser) {
        counts.push(
          { by: 'browser', key: `${key}.${browser}`, rule },
          { by: 'browser', key: `${key}.known`, rule: ruleForKnownBrowsers(rule) },
        )
      } else counts.push({ by: 'account', key, rule })
    }
  }
  return counts
}

/**
 * Whether a browser is known for the accounts of an attempt. For something that can be guessed and has no owner, such
 * as a voucher, none is: otherwise each browser that a user signs in with would have guesses of its own.
 */
async function isKnownBrowserFor(
  config: ResolvedConfig,
  browser: KnownBrowser,
  kind: LimitKind,
  digests: readonly string[],
): Promise<boolean> {
  if (digests.length === 0) return !GUESSED.includes(kind)
  const signedIn = await Promise.all(
    digests.map(account => hasSignedInTo(config, browser, account)),
  )
  return !signedIn.includes(false)
}

/** The key of the visitor's network; null if it is unknown. */
function networkKey(
  { logger, runtime }: ResolvedConfig,
  limits: Limits,
  request: Incoming,
): string | null {
  const network = networkOf(clientAddress(limits.clientAddress, request) ?? '')
  if (network === null && !runtime.hasWarnedOfAddress) {
    runtime.hasWarnedOfAddress = true
    logger.warn('unknown-client-address')
  }
  return network
}

/** Readers of the store cannot learn addresses from it. */
async function digest({ secrets }: ResolvedConfig, text: string): Promise<string> {
  const hash = await primitives.digest('SHA-256', `${PURPOSES.limit} ${text} ${secrets[0]}`)
  return toBase64Url(hash).slice(0, 22)
}
