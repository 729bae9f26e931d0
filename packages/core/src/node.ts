export { type Arrival, addressOf } from './lib/node/address.ts'
export { changeAnswer } from './lib/node/change-answer.ts'
export {
  type ParserHint,
  type ReadBody,
  type ReceivedRequest,
  readBody,
} from './lib/node/read-body.ts'
export { type NodeRequest, sentRequest } from './lib/node/sent-request.ts'
export { writeAnswer } from './lib/node/write-answer.ts'
