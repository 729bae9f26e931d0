/** A value, or a promise of it. Callbacks may be written either way. */
export type Awaitable<T> = T | PromiseLike<T>

/** The value that a promise resolves to. Kept for code that imported it; the language has its own now. */
export type Awaited<T> = T extends PromiseLike<infer U> ? U : T

/**
 * Whether a value has yet to be waited for. Where it is there already, as it is on the way that most
 * session checks take, not waiting is a good part of the time they need.
 */
export function isPromise<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value
}

/** Runs something with a module, as soon as that is loaded. */
export type Lazy<Module> = <Result>(use: (module: Module) => Awaitable<Result>) => Awaitable<Result>

/** Runs code that is loaded at its first use. From then on it is there at once, with nothing to wait for. */
export function lazily<Module>(load: () => Promise<Module>): Lazy<Module> {
  let loaded: Module | undefined
  return use => {
    if (loaded) return use(loaded)
    return load().then(module => {
      loaded = module
      return use(module)
    })
  }
}
