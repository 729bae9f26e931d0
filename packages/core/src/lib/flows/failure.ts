import type { SetCookie } from '../http/cookies.ts'

/** A failure after which cookies must change all the same. Inside the library only. */
export class Failure extends Error {
  readonly reason: unknown
  readonly cookies: readonly SetCookie[]

  constructor(reason: unknown, cookies: readonly SetCookie[]) {
    super('a flow failed')
    this.reason = reason
    this.cookies = cookies
  }
}
