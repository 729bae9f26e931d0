export {
  type AuthStandIn,
  type AuthStandInOptions,
  createAuthStandIn,
  type StandInCall,
  type StandInReplacements,
} from './lib/next/auth-stand-in.ts'
