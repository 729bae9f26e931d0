import type { LazyModules } from './lazy-modules.ts'

const loaded: { [name: string]: Promise<unknown> } = {}

/** Loads a part of the library when it is first needed. */
export function load<Name extends keyof LazyModules>(name: Name): Promise<LazyModules[Name]> {
  loaded[name] ??= import('./lazy-modules.ts').then(({ lazyModules }) => lazyModules[name]())
  return loaded[name] as Promise<LazyModules[Name]> // loaded above
}
