import { readFileSync } from 'node:fs'

/** The version of this package, which is that of all of ours. */
export function ownVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  const { version } = Object(manifest) as { version?: unknown } // JSON can be anything
  return String(version)
}
