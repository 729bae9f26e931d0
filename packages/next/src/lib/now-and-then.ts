// What most requests do without, in one module that bundlers put aside with all that it needs.
export { handOn } from './hand-on.ts'
export { wasAsked } from './handover.ts'
export { refuse } from './refuse.ts'
export { answerUnknown } from './unknown-visitor.ts'
