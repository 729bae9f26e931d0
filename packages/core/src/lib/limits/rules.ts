import type { LimitKind, LimitRule } from '../base/stores.ts'

/** The rules for one kind. */
export interface LimitRules {
  /** For one account, from any network. Several apply together. */
  readonly account?: readonly LimitRule[]
  /** For one network, whichever the account: an IPv4 address, or a /64 of IPv6. */
  readonly network?: LimitRule
}

// NIST SP 800-63B-4 §3.2.2: no more than 100 failures in a row.
const GUESSES: LimitRule = {
  burst: 5,
  refillSeconds: 180,
  maxDelaySeconds: 900,
  maxFailures: 100,
  forgetAfterSeconds: 86_400,
}
const NETWORK: LimitRule = { burst: 30, refillSeconds: 2 }
// Nothing can be guessed there, and a whole company may be behind one address.
const CROWD: LimitRule = { burst: 120, refillSeconds: 0.5 }

/** The default rules. */
export const DEFAULT_RULES: Readonly<Record<LimitKind, LimitRules>> = {
  credentials: { account: [GUESSES], network: NETWORK },
  password: { account: [GUESSES], network: NETWORK },
  code: { account: [GUESSES], network: NETWORK },
  email: {
    account: [
      { burst: 1, refillSeconds: 30 },
      { burst: 5, refillSeconds: 720 },
    ],
    network: NETWORK,
  },
  passkey: { network: CROWD },
  callback: { network: CROWD },
  refresh: { account: [NETWORK] },
}

/** As many browsers as a user may have, each of which has a count of its own. */
const KNOWN_BROWSERS = 20

/** The rule for all browsers together that have signed in to an account. */
export function ruleForKnownBrowsers(rule: LimitRule): LimitRule {
  const scaled = scaledRules.get(rule) ?? { ...rule, burst: rule.burst * KNOWN_BROWSERS }
  scaledRules.set(rule, scaled)
  return scaled
}

// The same object each time: plans are kept by it. It depends on nothing but the rule.
const scaledRules = new WeakMap<LimitRule, LimitRule>()
