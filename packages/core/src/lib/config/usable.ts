import { logFaults } from './log-faults.ts'
import type { Resolution, ResolvedConfig } from './resolved.ts'

/** The configuration. Throws where it has faults, of which the log is told all. */
export function usable({ frame, config, faults }: Resolution): ResolvedConfig {
  if (config) return config
  logFaults(frame, faults)
  throw faults[0]
}
