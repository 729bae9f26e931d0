import * as oauth from 'oauth4webapi'
import { CLOCK_TOLERANCE } from '../base/ports.ts'

/**
 * A client at a time in milliseconds. The library reads the clock itself; what our clock says reaches it
 * as the difference.
 */
export function clientAt(client: oauth.Client, now: number): oauth.Client {
  const skew = client[oauth.clockSkew] ?? 0
  return {
    [oauth.clockTolerance]: CLOCK_TOLERANCE,
    ...client,
    [oauth.clockSkew]: skew + Math.floor(now / 1000) - Math.floor(Date.now() / 1000),
  }
}
