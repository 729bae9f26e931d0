import type { LoggerInstance } from './logger.ts'

/**
 * What may be told of a sign-in. A list, so that nothing gets into a log because it was a member of
 * something: names, places and answers to yes or no, but never what opens anything, nor what says
 * who someone is.
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

/** Tells of a step of a sign-in. */
export type TellStep = (step: string, facts?: StepFacts) => void

/** Tells the application's logger, with `debug: true` or a `debug` of its own, of each step of a sign-in. */
export function tellerOf(
  logger: Pick<LoggerInstance, 'debug'>,
  provider: { readonly id: string; readonly type: string },
): TellStep {
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
