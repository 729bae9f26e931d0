import type { LoggerInstance } from '../base/logger.ts'
import type { Limiter, LimitKind, LimitRule } from '../base/stores.ts'
import { limiterInMemory } from '../limits/open-limiter.ts'
import { DEFAULT_RULES, type LimitRules } from '../limits/rules.ts'
import { modeOf } from './env.ts'
import type { AuthConfig, LimitsOptions } from './options.ts'
import type { Limits } from './resolved-config.ts'
import type { ConfigSources } from './sources.ts'

/** The limits of attempts; null if attempts are not limited. */
export function limitsOf(
  { options, platform, env }: ConfigSources,
  logger: LoggerInstance,
): Limits | null {
  const configured = options.limits ?? modeOf(env) === 'production'
  if (configured === false) return null
  const { limiter, rules = {} }: LimitsOptions = configured === true ? {} : configured
  // Applications that wrap each member of an adapter in a function make one of this, too.
  const ofAdapter = options.adapter?.limiter
  const store = limiter ?? (ofAdapter?.take ? ofAdapter : undefined)
  const openInMemory = platform.openLimiter ?? limiterInMemory()
  let opening: Promise<Limiter> | undefined
  return Object.freeze({
    rules: rulesOf(rules),
    clientAddress: options.clientAddress,
    openLimiter() {
      opening ??= store
        ? import('../limits/lasting-limiter.ts').then(({ lastingLimiter }) =>
            lastingLimiter(store, logger.error),
          )
        : openInMemory()
      return opening
    },
  })
}

function rulesOf(own: NonNullable<LimitsOptions['rules']>): Limits['rules'] {
  const kinds = Object.keys(DEFAULT_RULES) as LimitKind[] // as its type states
  const entries = kinds.map((kind): [LimitKind, LimitRules] => [
    kind,
    own[kind] === false ? {} : { ...DEFAULT_RULES[kind], ...own[kind] },
  ])
  return Object.fromEntries(entries) as Limits['rules'] // one for each kind
}

/** The problems with how attempts are to be limited. */
export function limitProblems({ limits, clientAddress }: AuthConfig): readonly string[] {
  return [...optionProblems(limits), ...addressProblems(clientAddress)]
}

function optionProblems(limits: AuthConfig['limits']): readonly string[] {
  if (limits === undefined || typeof limits === 'boolean') return []
  if (typeof limits !== 'object' || limits === null) {
    return ['limits must be true, false, or an object with `rules` or a `limiter`.']
  }
  const { limiter, rules = {} } = limits
  const isLimiter =
    limiter === undefined ||
    (typeof limiter?.take === 'function' && typeof limiter.forget === 'function')
  return [
    ...(isLimiter ? [] : ['limits.limiter must have the methods take and forget.']),
    ...Object.entries(rules).flatMap(([kind, each]) => kindProblems(kind, each)),
  ]
}

function kindProblems(kind: string, rules: unknown): readonly string[] {
  if (!Object.hasOwn(DEFAULT_RULES, kind)) {
    const ruleKinds = Object.keys(DEFAULT_RULES).join(', ')
    return [`limits.rules.${kind} limits nothing. There are: ${ruleKinds}.`]
  }
  if (rules === false || rules === undefined) return []
  const { account = [], network } = Object(rules) as { account?: unknown; network?: unknown }
  const where = `limits.rules.${kind}`
  if (!Array.isArray(account)) return [`${where}.account must be a list of rules.`]
  return [
    ...account.filter(rule => !isRule(rule)).map(() => ruleProblem(`${where}.account`)),
    ...(network === undefined || isRule(network) ? [] : [ruleProblem(`${where}.network`)]),
  ]
}

function ruleProblem(where: string): string {
  return `${where} must have a burst of 1 or more, and numbers of seconds greater than 0, as in { burst: 5, refillSeconds: 60 }.`
}

function isRule(value: unknown): boolean {
  const { burst, refillSeconds, maxDelaySeconds, maxFailures, forgetAfterSeconds } = Object(
    value,
  ) as Partial<LimitRule>
  return (
    isCount(burst) &&
    isTime(refillSeconds) &&
    (maxDelaySeconds === undefined || isTime(maxDelaySeconds)) &&
    (maxFailures === undefined || isCount(maxFailures)) &&
    (forgetAfterSeconds === undefined || isTime(forgetAfterSeconds))
  )
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 1 // just checked
}

/** A year is longer than anyone waits, and short enough to be counted in milliseconds. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && value >= 0.001 && value <= 31_536_000
}

function addressProblems(rule: AuthConfig['clientAddress']): readonly string[] {
  if (rule === undefined || typeof rule === 'function') return []
  const { trustedProxies, header } = Object(rule) as Record<string, unknown>
  const isHops = Number.isSafeInteger(trustedProxies) && Number(trustedProxies) >= 0
  const isHeader = typeof header === 'string' && /^[\w-]+$/.test(header)
  return isHops !== isHeader
    ? []
    : [
        'clientAddress must be { trustedProxies: 1 }, with how many there are, { header } with the name of a header, or a function.',
      ]
}
