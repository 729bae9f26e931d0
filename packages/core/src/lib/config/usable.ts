import { logFaults } from './log-faults.ts'
import type { Resolution, ResolvedConfig } from './resolved.ts'

/** The configuration. Throws if it has mistakes, after logging them all. */
export function usable({ frame, config, faults }: Resolution): ResolvedConfig {
  if (config) return config
  logFaults(frame, faults)
  throw faults[0]
}
