export { SessionStandIn, type SessionStandInProps } from './lib/react/session-stand-in.ts'
