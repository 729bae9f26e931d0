import type { ResolvedConfig } from '../../config/resolved-config.ts'

type Channel = 'front' | 'back'

const MINUTE = 60_000

/** Counts a notice of a provider, unless as many as `limit` were counted within a minute. Whether it was counted. */
export function spendNotice(
  { runtime, ports }: Pick<ResolvedConfig, 'runtime' | 'ports'>,
  channel: Channel,
  provider: string,
  limit: number,
): boolean {
  const { noticeBudgets } = runtime
  const now = ports.now()
  const name = nameOf(channel, provider)
  const earlier = noticeBudgets.get(name)
  const isOpen = earlier && now >= earlier.since && now - earlier.since < MINUTE
  const budget = isOpen ? earlier : { since: now, spent: 0 }
  if (budget.spent >= limit) return false
  noticeBudgets.set(name, { ...budget, spent: budget.spent + 1 })
  return true
}

/** Takes back that a notice was counted: it was about a user of this application, or took no row. */
export function refundNotice(
  { runtime }: Pick<ResolvedConfig, 'runtime'>,
  channel: Channel,
  provider: string,
): void {
  const { noticeBudgets } = runtime
  const name = nameOf(channel, provider)
  const budget = noticeBudgets.get(name)
  if (budget) noticeBudgets.set(name, { ...budget, spent: Math.max(0, budget.spent - 1) })
}

function nameOf(channel: Channel, provider: string): string {
  return JSON.stringify([channel, provider])
}
