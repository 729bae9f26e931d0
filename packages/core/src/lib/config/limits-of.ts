import type { LoggerInstance } from '../base/logger.ts'
import type { Limiter, LimitKind } from '../base/model.ts'
import { DEFAULT_RULES, type LimitRules } from '../limits/rules.ts'
import type { LimitsOptions } from './options.ts'
import type { Limits } from './resolved.ts'
import type { ConfigSources } from './sources.ts'

/** How attempts are limited; null where they are not. */
export function limitsOf({ options, env }: ConfigSources, logger: LoggerInstance): Limits | null {
  const wish = options.limits ?? env['NODE_ENV'] === 'production'
  if (wish === false) return null
  const { limiter, rules = {} }: LimitsOptions = wish === true ? {} : wish
  // Applications that wrap each member of an adapter in a function make one of this, too.
  const ofAdapter = options.adapter?.limiter
  const store = limiter ?? (ofAdapter?.take ? ofAdapter : undefined)
  let opening: Promise<Limiter> | undefined
  return Object.freeze({
    rules: rulesOf(rules),
    clientAddress: options.clientAddress,
    openLimiter() {
      opening ??= store
        ? import('../limits/lasting-limiter.ts').then(({ lastingLimiter }) =>
            lastingLimiter(store, logger.error),
          )
        : import('../limits/memory-limiter.ts').then(({ createMemoryLimiter }) =>
            createMemoryLimiter(),
          )
      return opening
    },
  })
}

function rulesOf(own: NonNullable<LimitsOptions['rules']>): Limits['rules'] {
  const kinds = Object.keys(DEFAULT_RULES) as LimitKind[] // as its type says
  const entries = kinds.map((kind): [LimitKind, LimitRules] => [
    kind,
    own[kind] === false ? {} : { ...DEFAULT_RULES[kind], ...own[kind] },
  ])
  return Object.fromEntries(entries) as Limits['rules'] // one for each kind
}
