import type { Library } from '../libraries.ts'
import { type Observation, show } from '../observe.ts'
import { call, type Scenario } from '../scenario.ts'

type Errors = Library['errors']
type ErrorName = Exclude<keyof Errors, 'isClientError'>

const NAMES: readonly ErrorName[] = [
  'AccessDenied',
  'AccountNotLinked',
  'AdapterError',
  'AuthError',
  'CallbackRouteError',
  'CredentialsSignin',
  'DuplicateConditionalUI',
  'EmailSignInError',
  'ErrorPageLoop',
  'EventError',
  'ExperimentalFeatureNotEnabled',
  'InvalidCallbackUrl',
  'InvalidCheck',
  'InvalidEndpoints',
  'InvalidProvider',
  'JWTSessionError',
  'MissingAdapter',
  'MissingAdapterMethods',
  'MissingAuthorize',
  'MissingCSRF',
  'MissingSecret',
  'MissingWebAuthnAutocomplete',
  'OAuthAccountNotLinked',
  'OAuthCallbackError',
  'OAuthProfileParseError',
  'OAuthSignInError',
  'SessionTokenError',
  'SignInError',
  'SignOutError',
  'UnknownAction',
  'UnsupportedStrategy',
  'UntrustedHost',
  'Verification',
  'WebAuthnVerificationError',
]

function describeError(error: Error, errors: Errors): Observation {
  const { name, message, cause } = error
  const { type, kind, code } = error as { type?: unknown; kind?: unknown; code?: unknown }
  return {
    name,
    type: show(type),
    kind: show(kind),
    code: show(code),
    message: show(message),
    cause: show(cause),
    'is an AuthError': String(error instanceof errors.AuthError),
    'is a SignInError': String(error instanceof errors.SignInError),
    'may be seen': String(errors.isClientError(error)),
  }
}

/** What an error looks like that is made in a certain way. */
function made(id: string, make: (errors: Errors) => Error): Scenario {
  return call(`errors/made/${id}`, ({ errors }) => describeError(make(errors), errors))
}

export const errorScenarios: readonly Scenario[] = [
  ...NAMES.map(name =>
    call(`errors/${name}`, ({ errors }) => describeError(new errors[name](), errors)),
  ),
  call('errors/exports', ({ errors }) => ({
    missing: NAMES.filter(name => typeof errors[name] !== 'function').join(', '),
  })),
  made('text', ({ AuthError }) => new AuthError('text')),
  made('text with cause', ({ AuthError }) => new AuthError('text', { cause: new Error('why') })),
  made('text with cause as data', ({ AuthError }) => new AuthError('text', { cause: { a: 1 } })),
  made('text with data', ({ AuthError }) => new AuthError('text', { provider: 'x' })),
  made('text with error', ({ AuthError }) => new AuthError('text', new Error('why'))),
  made('error', ({ AuthError }) => new AuthError(new Error('why'))),
  made('error with data', ({ AuthError }) => new AuthError(new Error('why'), { provider: 'x' })),
  made(
    'error that has a cause',
    ({ AuthError }) => new AuthError(new Error('why', { cause: { a: 1 } })),
  ),
  made('data', ({ AuthError }) => new AuthError({ provider: 'x' })),
  made('data with cause', ({ AuthError }) => new AuthError({ cause: { a: 1 } })),
  made('nothing', ({ AuthError }) => new AuthError()),
  made('subclass of CredentialsSignin', ({ CredentialsSignin }) => {
    class Locked extends CredentialsSignin {
      override code = 'locked'
    }
    return new Locked('text')
  }),
  made('subclass with a type of its own', ({ AuthError }) => {
    class Mine extends AuthError {
      static override type = 'Mine'
    }
    return new Mine('text')
  }),
  made('subclass that claims to be AccessDenied', ({ AccessDenied }) => {
    class Mine extends AccessDenied {}
    return new Mine('text')
  }),
  made('no error of the library', () => new Error('text')),
]
