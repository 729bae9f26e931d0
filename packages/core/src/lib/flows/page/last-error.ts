import { isAuthError } from '../../base/errors.ts'
import type { PageConfig } from '../../config/resolved-config.ts'

/** Keeps what went wrong inside for the page that the visitor is sent to. In development only. */
export function rememberFault(config: PageConfig, fault: unknown): void {
  if (config.development) config.runtime.lastError = describe(fault)
}

/** The last error, if the visitor may see it: only in development. */
export function lastFault(config: PageConfig, error: string | undefined): readonly string[] {
  return config.development && error === 'Configuration' ? (config.runtime.lastError ?? []) : []
}

function describe(fault: unknown): readonly string[] {
  if (!(fault instanceof Error)) return ['Something other than an error was thrown.']
  const { cause } = fault
  const behind = cause instanceof Error ? cause : (Object(cause) as { err?: unknown }).err // ours keep it there
  const what = `${isAuthError(fault) ? fault.type : fault.name}: ${fault.message}`
  return [
    what,
    ...(behind instanceof Error && behind !== fault ? [`${behind.name}: ${behind.message}`] : []),
    ...(isAuthError(fault) && fault.help ? [`See ${fault.help}`] : []),
  ]
}
