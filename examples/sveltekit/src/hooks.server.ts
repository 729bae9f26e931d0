export { handle } from './auth'
