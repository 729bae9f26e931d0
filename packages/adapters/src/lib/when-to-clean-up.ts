/** Keeps a runtime from stopping before something is done: `waitUntil` of a platform. */
export type WaitUntil = (work: Promise<unknown>) => unknown

/**
 * When expired rows are removed: between requests, by the process itself; after the response, by `waitUntil`; or in the request that
 * has added a row, if the runtime may stop with the response.
 */
export type CleanUpTime = 'between requests' | 'after the response' | 'in the request'

/** Decides when expired rows are removed, by what is known of the runtime. */
export function whenToCleanUp(waitUntil: WaitUntil | undefined): CleanUpTime {
  if (outlivesRequests()) return 'between requests'
  return waitUntil ? 'after the response' : 'in the request'
}

/** Variables of platforms that stop a process once it has responded, or give it hardly any time from then on. */
const OF_PLATFORMS = [
  'AWS_LAMBDA_FUNCTION_NAME',
  'VERCEL',
  'K_SERVICE',
  'DENO_DEPLOYMENT_ID',
  'DENO_DEPLOY',
] as const

/** Whether the process goes on after a response: that of a server with Node, Bun or Deno. */
function outlivesRequests(): boolean {
  const { process, navigator } = globalThis
  // Workers of Cloudflare may have the same variables as Node.
  if (navigator?.userAgent === 'Cloudflare-Workers') return false
  const isServer = typeof process?.versions?.node === 'string'
  return isServer && !OF_PLATFORMS.some(isSet)
}

function isSet(name: string): boolean {
  try {
    return Boolean(process.env[name])
  } catch {
    // Deno may not be allowed to read it.
    return false
  }
}
