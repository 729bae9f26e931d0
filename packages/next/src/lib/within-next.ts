// What asks Next about the current request, and Next's own code for that, in one module that bundlers put
// aside: a proxy is given its request.
export { currentSession } from './current-session.ts'
export { nodeSession } from './node-session.ts'
export { runWrapped } from './run-wrapped.ts'
