export { type Arrival, addressOf } from './lib/node/address.ts'
export { changeServerResponse } from './lib/node/change-server-response.ts'
export {
  type ParserHint,
  type ReadBody,
  type ReceivedRequest,
  readBody,
} from './lib/node/read-body.ts'
export { type NodeRequest, sentRequest } from './lib/node/sent-request.ts'
export { writeServerResponse } from './lib/node/write-server-response.ts'
