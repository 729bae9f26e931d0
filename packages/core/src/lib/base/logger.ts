import { isPromise, lazily } from './awaitable.ts'
import { explanationOf, isAuthError, isClientError } from './errors.ts'
import type { WarningCode } from './warnings.ts'

export type { WarningCode }

/**
 * Where the library reports to. Set any of the three to replace it; the others go silent only if
 * you say so.
 */
export interface LoggerInstance extends Record<string, unknown> {
  /** Something failed. An `AuthError` has a `type`, and what caused it in `cause`. */
  error(error: Error): void
  /** Something works, but deserves attention. Details come second, if there are any. */
  warn(code: WarningCode, details?: string): void
  /** Each step, in detail. */
  debug(message: string, metadata?: unknown): void
}

/** The options of an application's log. */
export interface LoggerOptions {
  readonly logger?: Partial<LoggerInstance> | undefined
  /** Whether to report what happens in detail. */
  readonly debug?: boolean | undefined
}

/** A complete logger, from what an application gives. */
export function createLogger({ logger: custom, debug = false }: LoggerOptions): LoggerInstance {
  const fallback = consoleLogger({ debug: debug && !custom })
  return {
    error: error => report(() => (custom?.error ? custom.error(error) : fallback.error(error))),
    // Without details, loggers get what they always got.
    warn: (...args) => report(() => (custom?.warn ? custom.warn(...args) : fallback.warn(...args))),
    debug(message, metadata) {
      if (custom?.debug) report(() => custom.debug?.(message, metadata))
      else if (debug) report(() => fallback.debug(message, metadata))
    },
  }

  /** A logger that fails must not take the request down with it. */
  function report(write: () => unknown): void {
    const fail = (error: unknown) =>
      fallback.error(error instanceof Error ? error : new Error('The logger failed.'))
    try {
      const written = write()
      if (isPromise(written)) written.then(undefined, fail)
    } catch (error) {
      fail(error)
    }
  }
}

const warnings = lazily(() => import('./warnings.ts'))

function consoleLogger({ debug }: { readonly debug: boolean }): LoggerInstance {
  return {
    error(error) {
      const type = isAuthError(error) ? error.type : error.name
      const more = isAuthError(error) && error.help ? ` Read more: ${error.help}` : ''
      console.error(`[auth][error] ${printable(`${type}: ${error.message}${more}`)}`)
      // A wrong password is not a fault of the server: one line is enough for it.
      if (isClientError(error) && !error.cause) return
      const causes = causesOf(error)
      if (causes.length === 0) console.error(framesOf(error))
      for (const cause of causes) {
        const what = printable(`${cause.name}: ${cause.message}`)
        console.error(`[auth][cause]: ${what}\n${framesOf(cause)}`)
      }
      const { err: _err, ...details } = isAuthError(error) ? (error.cause ?? {}) : {}
      if (Object.keys(details).length > 0) console.error(`[auth][details]: ${asText(details)}`)
    },
    warn: (code, details) =>
      void warnings(({ cureOf }) => {
        const what = details ? `${cureOf[code]} ${printable(details)}` : cureOf[code]
        console.warn(`[auth][warn][${code}] ${what} Read more: ${explanationOf(code)}`)
      }),
    debug(message, metadata) {
      if (!debug) return
      console.log(`[auth][debug]: ${printable(message)}`, ...(metadata ? [asText(metadata)] : []))
    },
  }
}

/** The causes of an error, nearest first. The last is usually the one you want. */
function causesOf(error: Error): readonly Error[] {
  const causes: Error[] = []
  for (let next = causeOf(error); next && causes.length < 5; next = causeOf(next)) causes.push(next)
  return causes
}

function causeOf({ cause }: Error): Error | undefined {
  if (cause instanceof Error) return cause
  const { err } = Object(cause) as { err?: unknown } // ours keep it there; anything can be a cause
  return err instanceof Error ? err : undefined
}

/** The lines of a stack below the message, which is printed by itself and may hold anything. */
function framesOf({ stack = '', message }: Error): string {
  const at = message === '' ? -1 : stack.indexOf(message)
  const frames = at === -1 ? stack.replace(/^[^\n]*/, '') : stack.slice(at + message.length)
  return frames.split('\n').filter(Boolean).map(printable).join('\n')
}

/** Control characters could forge further lines of the log, or move the cursor of who reads it. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

function asText(value: unknown): string {
  const seen = new Set<unknown>()
  const text = JSON.stringify(
    value,
    (_key, each: unknown) => {
      if (each instanceof Error) return `${each.name}: ${each.message}`
      if (typeof each === 'bigint') return String(each)
      if (typeof each !== 'object' || each === null) return each
      if (seen.has(each)) return '[seen above]'
      seen.add(each)
      return each
    },
    2,
  )
  // Line feeds inside texts are escaped already; those that are left make it readable.
  return String(text).split('\n').map(printable).join('\n')
}
