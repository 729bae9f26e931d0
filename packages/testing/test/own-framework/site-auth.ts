// What docs/guide/own-framework.md shows for a framework with Node's own requests.
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createIntegration,
  type FrameworkAdapter,
  type Integration,
  type IntegrationConfig,
  type SentRequest,
} from '@siteauth/core/integration'
import type { JWT } from '@siteauth/core/jwt'
import {
  addressOf,
  changeServerResponse,
  type ReadBody,
  readBody,
  sentRequest,
  writeServerResponse,
} from '@siteauth/core/node'
import type { Session } from '@siteauth/core/types'

/** What handlers of the framework are given. */
export interface Context {
  readonly req: IncomingMessage
  readonly res: ServerResponse
}

function toRequest({ req }: Context, body?: ReadBody): SentRequest {
  const { method, headers, socket, url: path = '/' } = req
  // The framework's setting for the proxies that it trusts.
  const trusts = (address: string | undefined) => address === '127.0.0.1'
  return sentRequest({ method, path, body, ...addressOf({ headers, socket, trusts }) })
}

const host: FrameworkAdapter<Context, void> = {
  request: context => toRequest(context),
  change: ({ res }, change) => changeServerResponse(res, change),
  respond: ({ res }, answer) => writeServerResponse(res, answer),
  hasBegun: ({ res }) => res.headersSent,
  key: ({ req }) => req,
  except: { names: 'paths', nameOf: ({ req }) => req.url?.split('?')[0] },
}

/** What an application configures. */
export type NodeAuthConfig = IntegrationConfig<Context, JWT, Session, string>

/** The instance of an application, with the middleware that serves the endpoints. */
export interface NodeAuth extends Integration<Context, Session, void> {
  /** Resolves with whether it has answered. */
  middleware(context: Context): Promise<boolean>
}

export function SiteAuth(config: NodeAuthConfig): NodeAuth {
  const auth = createIntegration(host, config)
  return {
    ...auth,
    async middleware(context) {
      if (!auth.handles(context)) return false
      const body = await readBody(context.req, { parser: 'a middleware that inflates it' })
      await auth.handle(context, toRequest(context, body))
      return true
    },
  }
}
