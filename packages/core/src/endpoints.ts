export { atPaths } from './lib/config/paths.ts'
export { demandConfig, resolveConfig } from './lib/config/resolve.ts'
export {
  beginsOnServer,
  type CallingRequest,
  endOtherSessions,
  endSession,
  getAccessToken,
  listAccounts,
  listProviders,
  listSessions,
  providerFetch,
  receiveCall,
  refreshAhead,
  rotate,
  type SignInWish,
  type SignOutWish,
  signIn,
  signOut,
  unlinkAccount,
  update,
} from './lib/doors/calls.ts'
export { type Handled, handle } from './lib/doors/handle.ts'
export {
  askForPassword,
  type ChangedPassword,
  type ChosenPassword,
  changePassword,
  choosePassword,
  type PasswordLinkWish,
  type RemovedPassword,
  removePassword,
} from './lib/doors/password-calls.ts'
export { answerFor, respond } from './lib/doors/respond.ts'
export { endUser } from './lib/flows/end-user.ts'
export type { Sender, SentHeaders, SentRequest } from './lib/http/incoming.ts'
export type { Outgoing, RedirectAnswer } from './lib/http/outgoing.ts'
export type { WireAnswer } from './lib/http/to-response.ts'
export { keepingCookies } from './lib/steps/failure.ts'
export type { Incoming } from './lib/steps/incoming.ts'
export { publicPath } from './lib/steps/page-url.ts'
