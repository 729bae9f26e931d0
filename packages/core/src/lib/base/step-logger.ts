import type { LoggerInstance } from './logger.ts'

/**
 * The facts of a sign-in that may be logged. A list, so that nothing gets into a log because it happens to be a
 * member of an object: names, places and booleans, but never secrets, and nothing that identifies a person.
 */
const FIELDS = [
  'provider',
  'type',
  'endpoint',
  'redirectUri',
  'scope',
  'checks',
  'parameters',
  'error',
  'members',
  'claims',
  'tokenType',
  'expiresIn',
  'issuer',
  'source',
  'status',
  'strategy',
  'hasEmail',
  'isEmailProven',
  'isAdding',
  'isNewUser',
] as const

type FactValue = string | number | boolean | readonly string[] | undefined

/** The facts of a step. */
export type StepFacts = Readonly<Partial<Record<(typeof FIELDS)[number], FactValue>>>

/** Logs a step of a sign-in. */
export type LogStep = (step: string, facts?: StepFacts) => void

/** Tells the application's logger, with `debug: true` or a `debug` of its own, of each step of a sign-in. */
export function createStepLogger(
  logger: Pick<LoggerInstance, 'debug'>,
  provider: { readonly id: string; readonly type: string },
): LogStep {
  return (step, facts = {}) => {
    const all: StepFacts = { provider: provider.id, type: provider.type, ...facts }
    const logged = FIELDS.flatMap(name => (all[name] === undefined ? [] : [[name, all[name]]]))
    logger.debug(`sign-in: ${step}`, Object.fromEntries(logged))
  }
}

/** The names of members, of which strangers may have chosen some. */
export function namesOf(names: Iterable<string>): readonly string[] {
  return [...names].filter(name => /^[\w.:/-]{1,80}$/.test(name)).slice(0, 40)
}
