import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Imports an entry of a package as it is built in a checkout. */
export function importFrom(tree, entry) {
  const { resolve } = createRequire(join(tree, 'package.json'))
  return import(pathToFileURL(resolve(entry)).href)
}
