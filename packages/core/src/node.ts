export { addCookiesLast } from './lib/node/add-cookies-last.ts'
export { type Arrival, addressOf } from './lib/node/address.ts'
export { NodeHeaders } from './lib/node/node-headers.ts'
export {
  type ParserHint,
  type ReadBody,
  type ReceivedRequest,
  readBody,
} from './lib/node/read-body.ts'
export { type NodeRequest, sentRequest } from './lib/node/sent-request.ts'
export { addCookies, isTooLate, writeAnswer } from './lib/node/write-answer.ts'
