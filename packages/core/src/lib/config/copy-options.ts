import type { AuthConfig } from './options.ts'

/** A configuration that stays as it is when the application changes its own. */
export function copyOptions(options: AuthConfig): AuthConfig {
  const members = Object.entries(options).map(([name, value]: [string, unknown]) => [
    name,
    Array.isArray(value) ? [...value] : isPlain(value) && name !== 'adapter' ? { ...value } : value,
  ])
  return Object.fromEntries(members) as AuthConfig // member by member the same
}

function isPlain(value: unknown): value is object {
  return Object(value) === value && Object.getPrototypeOf(value) === Object.prototype
}
