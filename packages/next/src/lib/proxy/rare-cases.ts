// What most requests do without, in one module that bundlers put aside with all that it needs.
export { receiptCheck } from '../read/callback-receipt.ts'
export { answerMalformedHost } from './answer-malformed-host.ts'
export { answerUnreadable } from './answer-unreadable.ts'
export { passAsRouted, sessionApplier, withoutForgedReceipt } from './apply-session.ts'
export { followVerdict } from './follow-verdict.ts'
export { isRootEndpoint } from './requested-page.ts'
