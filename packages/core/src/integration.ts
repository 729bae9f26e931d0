export type {
  AccountCalls,
  AuthCalls,
  ClientCalls,
  ClientSessionCalls,
  PasswordCalls,
  SessionCalls,
  UserCalls,
} from './lib/api/auth-calls.ts'
export { deriveCalls } from './lib/api/derive-calls.ts'
export type {
  AuthorizationParams,
  SignInOptions,
  SignOutOptions,
} from './lib/api/sign-in-options.ts'
export {
  changeHeaders,
  changeResponse,
  pendingChanges,
  type ResponseChange,
} from './lib/http/change-response.ts'
export type { SentRequest } from './lib/http/request.ts'
export { toResponse, type WireResponse } from './lib/http/write-response.ts'
export { createIntegration } from './lib/integration/create-integration.ts'
export type { FrameworkAdapter } from './lib/integration/framework-adapter.ts'
export type {
  GuardDenial,
  GuardResult,
  Integration,
  IntegrationConfig,
  MiddlewareGuardResult,
  RequireSessionMiddlewareOptions,
  RequireSessionOptions,
} from './lib/integration/integration.ts'
