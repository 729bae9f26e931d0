export {
  type AuthStandIn,
  type AuthStandInOptions,
  createAuthStandIn,
  type StandInCall,
} from './lib/next/auth-stand-in.ts'
