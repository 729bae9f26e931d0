import type { NextApiRequest, NextApiResponse } from 'next'
import type { NextRequest } from 'next/server.js'

/** A function that `auth` wraps, as it is called in the end. */
export type Handler = (request: NextRequest, context: unknown) => unknown

/** What a call of `auth` is about. */
export type CallForm =
  | { readonly form: 'current' }
  | { readonly form: 'proxy'; readonly request: NextRequest }
  | { readonly form: 'wrapper'; readonly handler: Handler }
  | { readonly form: 'node'; readonly req: NextApiRequest; readonly res?: NextApiResponse }

/** Tells the forms of `auth` apart by what they are given. */
export function callForm([first, second]: readonly unknown[]): CallForm {
  if (first === undefined) return { form: 'current' }
  if (typeof first === 'function') return { form: 'wrapper', handler: first as Handler }
  if (isRequest(first)) return { form: 'proxy', request: first }
  // By now it is one of the two that the types allow: a context, or Node's request and response.
  const { req, res } = (isContext(first) ? first : { req: first, res: second }) as NodePair
  return { form: 'node', req, ...(res && { res }) }
}

interface NodePair {
  readonly req: NextApiRequest
  readonly res?: NextApiResponse
}

/** Not by `instanceof` alone: there may be several classes of that name in one process. */
function isRequest(value: unknown): value is NextRequest {
  return (
    value instanceof Request ||
    (hasMember(value, 'headers') && hasMember(value.headers, 'get') && hasMember(value, 'url'))
  )
}

function isContext(value: unknown): boolean {
  return hasMember(value, 'req')
}

function hasMember<Name extends string>(
  value: unknown,
  name: Name,
): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value
}
