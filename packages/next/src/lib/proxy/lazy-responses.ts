// What most requests do without, in one module that bundlers put aside with all that it needs.
export { receiptCheck } from '../read/callback-receipt.ts'
export { passAsRouted, sessionApplier, withoutForgedReceipt } from './apply-session.ts'
export { followDecision } from './follow-decision.ts'
export { malformedHostResponse } from './malformed-host-response.ts'
export { isRootEndpoint } from './requested-page.ts'
export { unreadableResponse } from './unreadable-response.ts'
