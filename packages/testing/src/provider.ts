export { createFakeProvider } from './lib/provider/create-fake-provider.ts'
export type {
  EndpointFailure,
  ProviderEndpoint,
  ProviderFailure,
  SignInFailure,
} from './lib/provider/failure.ts'
export { FAILURES } from './lib/provider/failure.ts'
export type { FakePerson } from './lib/provider/fake-person.ts'
export type {
  Authorization,
  FakeProvider,
  FakeProviderOptions,
  ProviderChanges,
  SeenRequest,
} from './lib/provider/fake-provider.ts'
export type { IssueToken } from './lib/provider/grants.ts'
export type { SigningAlgorithm, TokenHeader } from './lib/provider/signing-key.ts'
export {
  type RunningProvider,
  type RunningProviderOptions,
  startFakeProvider,
} from './lib/provider/start-fake-provider.ts'
