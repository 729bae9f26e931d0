import { UntrustedHost } from '../base/errors.ts'

/** The error for a host that is not believed, with what to do about it. */
export function untrustedHost(host: string): UntrustedHost {
  return new UntrustedHost(
    `The request names the host ${JSON.stringify(host)}, which is not trusted. Set AUTH_URL to the ` +
      `URL of the application, or list its hosts in trustHost.`,
  )
}
