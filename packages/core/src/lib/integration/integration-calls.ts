import { type AuthCalls, CALLS, type CallName, isUserCall } from '../api/auth-calls.ts'
import { deriveCalls } from '../api/derive-calls.ts'
import type { CallContext } from '../api/run-call.ts'
import type { ResolvedConfig } from '../config/resolved-config.ts'
import type { FindApplication } from './application.ts'
import type { FrameworkAdapter } from './framework-adapter.ts'
import type { Integration } from './integration.ts'
import type { RequestSession } from './request-session.ts'

const running = () => import('../api/run-call.ts')

/** Makes the calls of a framework. */
export function createCalls<Context extends object, Seen, FrameworkResponse, Redirected>(
  host: FrameworkAdapter<Context, FrameworkResponse, Redirected>,
  applicationOf: FindApplication<Context>,
  requests: RequestSession<Context>,
  redirect: (context: Context, url: string) => Promise<FrameworkResponse>,
): Pick<Integration<Context, Seen, FrameworkResponse, Redirected>, 'call' | 'calls'> {
  const getSession = requests.session as (context: Context) => Promise<Seen | null> // what the application's own callback returned

  async function call(name: CallName, args: readonly unknown[]): Promise<unknown> {
    if (isUserCall(name)) {
      const last = args.at(-1)
      const context = typeof last === 'object' && last !== null ? (last as Context) : undefined // comes last
      const [{ runUserCall }, config] = await Promise.all([running(), complete(context)])
      return runUserCall(name, config, args)
    }
    const [context, ...rest] = args as [Context, ...unknown[]] // as the list declares
    if (name === 'getSession') return getSession(context)
    const [{ runCall }, config] = await Promise.all([running(), complete(context)])
    const value = await runCall(name, await callContext(context, config), rest)
    return CALLS[name].result === 'url' ? redirectTo(context, String(value)) : value
  }

  async function complete(context: Context | undefined): Promise<ResolvedConfig> {
    const { requireConfig } = await import('../config/resolution/resolve-config.ts')
    return requireConfig(await applicationOf(context).loader.complete())
  }

  async function callContext(context: Context, config: ResolvedConfig): Promise<CallContext> {
    const { receiveCall } = await import('../api/calls.ts')
    const { url, headers, sender } = requests.calledRequest(context)
    return {
      config,
      incoming: receiveCall(config, { headers, protocol: url.protocol, host: url.host, sender }),
      noCookiesReason: host.hasBegun?.(context) ? RESPONSE_HAS_BEGUN : undefined,
      setCookies: cookies => requests.setCookies(context, cookies),
    }
  }

  async function redirectTo(context: Context, url: string): Promise<Redirected> {
    if (host.redirect) return host.redirect(context, url, () => redirect(context, url))
    return (await redirect(context, url)) as Redirected & FrameworkResponse // which are the same without `redirect`
  }

  return {
    call,
    calls: {
      ...deriveCalls<AuthCalls<[context: Context], Redirected, Seen>>(call),
      // As it is, because most requests only need the session.
      getSession,
    },
  }
}

const RESPONSE_HAS_BEGUN = 'Call it before the response begins.'
