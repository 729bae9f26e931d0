export {
  type AuthStandIn,
  type AuthStandInOptions,
  createAuthStandIn,
  type StandInAnswers,
  type StandInCall,
} from './lib/next/auth-stand-in.ts'
