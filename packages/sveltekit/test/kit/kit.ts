// As much of SvelteKit as the tests need: what its functions throw, and what its server makes of that.
export class Redirect {
  readonly status: number
  readonly location: string
  constructor(status: number, location: string) {
    this.status = status
    this.location = location
  }
}

export class HttpError {
  readonly status: number
  readonly body: { readonly message: string }
  constructor(status: number, message: string) {
    this.status = status
    this.body = { message }
  }
}

export function redirect(status: number, location: string): never {
  throw new Redirect(status, location)
}

export function isRedirect(thrown: unknown): thrown is Redirect {
  return thrown instanceof Redirect
}

export function error(status: number, message: string): never {
  throw new HttpError(status, message)
}

export function isHttpError(thrown: unknown): thrown is HttpError {
  return thrown instanceof HttpError
}

export function fail<Data>(status: number, data: Data): { status: number; data: Data } {
  return { status, data }
}
