// What most requests do without, in one module that bundlers put aside with all that it needs.
export { handOn } from './hand-on.ts'
export { wasAsked } from './handover.ts'
export { isRootEndpoint } from './is-root-endpoint.ts'
export { refuse } from './refuse.ts'
export { passOnPrivately } from './responses.ts'
export { answerUnknown } from './unknown-visitor.ts'
export { withoutAsked } from './with-cookies.ts'
