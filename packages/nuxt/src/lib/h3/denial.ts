/**
 * The error that a guard throws so that the handler does not run. h3 recognises its own errors by a static member: an
 * application may have several copies of h3.
 */
export class Denial extends Error {
  static readonly __h3_error__ = true
  override readonly name = 'HTTPError'
  readonly status: number
  readonly statusCode: number
  readonly statusText: string
  readonly statusMessage: string
  readonly unhandled = false
  readonly fatal = false

  constructor(status: number) {
    const reason = REASONS[status] ?? 'Refused'
    super(reason)
    this.status = status
    this.statusCode = status
    this.statusText = reason
    this.statusMessage = reason
  }

  toJSON(): object {
    const { message, statusCode, statusMessage } = this
    return { message, statusCode, statusMessage }
  }
}

const REASONS: Readonly<Record<number, string>> = {
  302: 'Found',
  401: 'Unauthorized',
  403: 'Forbidden',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}
