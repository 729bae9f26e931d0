import type { LateParts } from './lazy-modules.ts'

const loaded: { [name: string]: Promise<unknown> } = {}

/** Loads a part of the library when it is first needed. */
export function load<Name extends keyof LateParts>(name: Name): Promise<LateParts[Name]> {
  loaded[name] ??= import('./lazy-modules.ts').then(({ lateParts }) => lateParts[name]())
  return loaded[name] as Promise<LateParts[Name]> // loaded above
}
