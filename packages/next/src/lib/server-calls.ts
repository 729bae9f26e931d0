// What signs people in and out, in one module that bundlers put aside with all that it needs.
export { respond } from '@siteauth/core/endpoints'
export { endSession } from './end-session.ts'
export { endUser } from './end-user.ts'
export { rotateSession } from './rotate-session.ts'
export { attemptSignIn, signIn } from './start-sign-in.ts'
export { updateSession } from './update-session.ts'
