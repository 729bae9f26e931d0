export { addCookiesLast } from '../lib/node/add-cookies-last.ts'
export { NodeHeaders } from '../lib/node/node-headers.ts'
export { addCookies, isTooLate } from '../lib/node/write-server-response.ts'
