import type { ServerResponse } from 'node:http'
import { preventCaching } from '@siteauth/core/internal'
import { isTooLate } from '@siteauth/core/internal/node'

/** Sends the visitor elsewhere. */
export function writeRedirect(res: ServerResponse, to: string): void {
  if (isTooLate(res)) return
  res.statusCode = 302
  res.setHeader('location', to)
  preventCaching(res)
  res.end()
}
