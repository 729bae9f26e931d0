import type { NextRequest } from 'next/server.js'
import { answerRequest } from './answer-request.ts'
import { callForm } from './call-form.ts'
import { withinNext } from './load-later.ts'
import { requestSession } from './request-session.ts'
import type { Auth, RequestSession } from './result.ts'
import type { SessionReader } from './session-reader.ts'
import type { Settings } from './settings.ts'

/** Makes `auth` for one application: the same function for every place in which it is called. */
export function createAuthFunction<Sess>(settings: Settings, reader: SessionReader): Auth<Sess> {
  function auth(...given: readonly unknown[]): unknown {
    const call = callForm(given)
    switch (call.form) {
      case 'current':
        return withinNext(({ currentSession }) => currentSession(settings, reader))
      case 'node':
        return withinNext(({ nodeSession }) => nodeSession(settings, reader, call.req, call.res))
      case 'proxy':
        return answerRequest({ settings, reader }, call.request)
      case 'wrapper': {
        const { handler } = call
        return (request: NextRequest, context: unknown) =>
          answerRequest({ settings, reader, wrapped: { handler, context } }, request)
      }
    }
  }

  async function session(request: Request): Promise<RequestSession<Sess>> {
    const loader = await settings.of(request, request as NextRequest) // or a plain one, in tests
    const config = await loader.sessions()
    // What the application's own session callback returned.
    return (await requestSession(config, reader, request)) as RequestSession<Sess>
  }

  // Each form answers what its signature says; sessions are what the application's callback returned.
  return Object.assign(auth as Auth<Sess>, { session })
}
