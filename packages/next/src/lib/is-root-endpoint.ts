import { parsePath } from '@siteauth/core/integration'
import type { NextConfigLoader } from './settings.ts'

/** What our own files are called: `page.0123456789abcdef.js`. */
const FILE = /^\/assets\/[a-z]+\.[0-9a-f]{16}\.js$/

/**
 * Whether a path is an endpoint where those are at the root, beside the application's own pages: nothing
 * may pass unasked that merely looks like one. Only files of ours and providers that there are count.
 */
export async function isRootEndpoint(loader: NextConfigLoader, path: string): Promise<boolean> {
  const target = parsePath(path, [''])
  if (target === null) return false
  if (target.action === 'assets') return FILE.test(path)
  if (target.providerId === undefined) return true
  const config = await loader.complete()
  // A proxy may be configured without the providers, which only the endpoints need.
  if (config.faults || config.providers.size === 0) return true
  return config.providers.has(target.providerId)
}
