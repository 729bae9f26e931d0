import type { Awaitable } from './model.ts'

/** Runs something with a module, as soon as that is loaded. */
export type Lazy<Module> = <Result>(use: (module: Module) => Awaitable<Result>) => Awaitable<Result>

/**
 * Runs code that is loaded at its first use. From then on it is there at once, with nothing to wait for.
 */
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
