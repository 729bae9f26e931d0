import type { SetCookie } from '../http/cookies.ts'

/** A failure after which cookies must change all the same. Inside the library only. */
export class Failure extends Error {
  readonly reason: unknown
  readonly cookies: readonly SetCookie[]
  /** Where the visitor wanted to go, if the attempt that failed knows. */
  readonly returnTo: string | undefined

  constructor(reason: unknown, cookies: readonly SetCookie[], returnTo?: string) {
    super('a flow failed')
    this.reason = reason
    this.cookies = cookies
    this.returnTo = returnTo
  }
}
