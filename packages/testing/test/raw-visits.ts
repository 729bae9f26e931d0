import { expect } from 'vitest'
import { type RawRequest, sendRaw } from '../src/integration.ts'

// Raw requests to guarded routes, which HTTP clients would normalise.

/** The part of a response that the tests of guards compare. */
export interface Answer {
  readonly status: number
  readonly body: string
  readonly location: string | undefined
}

/** Sends a request to one server. */
export type Send = (
  target: string,
  headers?: RawRequest['headers'],
  method?: string,
) => Promise<Answer>

/** The headers of a browser that opens a page. */
export const PAGE = { accept: 'text/html' }

export function sendTo(origin: string): Send {
  return async (target, headers, method) => {
    const { status, headers: received, body } = await sendRaw(origin, { target, headers, method })
    return { status, body, location: received.get('location') }
  }
}

/** Opens a page and follows its redirects, as a browser does, at most ten. */
export async function openPage(send: Send, target: string): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (let at: string | undefined = target; at !== undefined && answers.length < 10; ) {
    const answer: Answer = await send(at, PAGE)
    answers.push(answer)
    at = answer.location
  }
  return answers
}

/** Expects that a malformed `Host` gets 400 from `/account`, for users, and `/admin`, for no user. */
export async function expectHostRejected(
  send: Send,
  host: string,
  user: { readonly cookie: string },
): Promise<void> {
  const answers = [
    await send('/account', { ...PAGE, host }),
    await send('/account', { host }),
    await send('/admin', { ...PAGE, host }),
    await send('/admin', { ...PAGE, ...user, host }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400])
}
