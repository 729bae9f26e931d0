import { isAuthError } from '../../base/errors.ts'
import type { PageConfig } from '../../config/resolved-config.ts'

/** Keeps what went wrong inside for the page that the visitor is sent to. In development only. */
export function rememberError(config: PageConfig, error: unknown): void {
  if (config.development) config.runtime.lastError = describe(error)
}

/** The last error, if the visitor may see it: only in development. */
export function lastError(config: PageConfig, error: string | undefined): readonly string[] {
  return config.development && error === 'Configuration' ? (config.runtime.lastError ?? []) : []
}

function describe(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return ['Something other than an error was thrown.']
  const { cause } = error
  const behind = cause instanceof Error ? cause : (Object(cause) as { err?: unknown }).err // ours keep it there
  const what = `${isAuthError(error) ? error.type : error.name}: ${error.message}`
  return [
    what,
    ...(behind instanceof Error && behind !== error ? [`${behind.name}: ${behind.message}`] : []),
    ...(isAuthError(error) && error.help ? [`See ${error.help}`] : []),
  ]
}
