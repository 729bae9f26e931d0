import { isLoopbackAddress, isLoopbackHost } from './loopback.ts'

/** The headers that servers on the way add, which passes a request of a stranger on. */
const ADDED_ON_THE_WAY = [
  'forwarded',
  'via',
  'x-forwarded',
  'x-forwarded-by',
  'x-forwarded-prefix',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-original-forwarded-for',
  'x-original-host',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-amzn-trace-id',
  'true-client-ip',
  'cf-connecting-ip',
  'cf-ray',
  'fastly-client-ip',
  'fly-client-ip',
]

/** The same, which a server on this machine, such as that of Next, also adds to a request of its own browser. */
const ALSO_ADDED_HERE: Readonly<Record<string, (value: string) => boolean>> = {
  'x-forwarded-for': value => value.split(',').every(each => isLoopbackAddress(each.trim())),
  'x-forwarded-host': value => value.split(',').every(each => isLoopbackHost(each.trim())),
  'x-forwarded-port': value => /^\d{1,5}$/.test(value),
  'x-forwarded-proto': value => value === 'http',
}

/**
 * Whether another server has passed a request on.
 *
 * @param hasOwnServer whether the framework adds such headers itself, so that only their values tell
 */
export function isForwarded(
  header: (name: string) => string | null | undefined,
  hasOwnServer = false,
): boolean {
  const isSent = (name: string) => (header(name) ?? null) !== null
  if (ADDED_ON_THE_WAY.some(isSent)) return true
  return Object.entries(ALSO_ADDED_HERE).some(([name, isOfHere]) => {
    const value = header(name) ?? null
    return value !== null && !(hasOwnServer && isOfHere(value))
  })
}
