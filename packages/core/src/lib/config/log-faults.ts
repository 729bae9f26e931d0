import type { AuthError } from '../base/errors.ts'
import type { Frame } from './resolved.ts'

const logged = new WeakSet<AuthError>()

/** Tells the log what is wrong with a configuration: once, however many requests find out. */
export function logFaults({ logger }: Pick<Frame, 'logger'>, faults: readonly AuthError[]): void {
  for (const fault of faults.filter(each => !logged.has(each))) {
    logged.add(fault)
    logger.error(fault)
  }
}
