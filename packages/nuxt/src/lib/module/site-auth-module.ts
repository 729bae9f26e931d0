import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModuleOptions, NuxtLike } from './nuxt.ts'

/** A module of Nuxt. */
export interface SiteAuthModule {
  (options: Partial<ModuleOptions> | undefined, nuxt: NuxtLike): void
  getMeta(): Promise<{ name: string; configKey: string; compatibility: { nuxt: string } }>
}

/**
 * The Nuxt module: it serves the endpoints with the configuration that `server/utils/auth.ts` exports as `auth`.
 *
 * @example
 * ```ts
 * // nuxt.config.ts
 * export default { modules: ['@siteauth/nuxt'] }
 * ```
 */
export const siteAuthModule: SiteAuthModule = Object.assign(setUp, {
  getMeta: async () => ({
    name: '@siteauth/nuxt',
    configKey: 'siteauth',
    compatibility: { nuxt: '>=4.0.0' },
  }),
})

function setUp(given: Partial<ModuleOptions> | undefined, { options }: NuxtLike): void {
  const { basePath = `${options.app.baseURL}auth` } = { ...options.siteauth, ...given }
  const file = findConfiguration(options.serverDir)
  if (!file) {
    // Types may be generated before there is a file.
    if (options._prepare) return
    throw new Error(missing(options.serverDir))
  }
  const imported = `import { auth } from ${JSON.stringify(file)}`
  const handler = join(options.buildDir, 'siteauth/handler.mjs')
  const plugin = join(options.buildDir, 'siteauth/plugin.mjs')
  const told = `{ isPrerendering: import.meta.prerender, basePath: ${JSON.stringify(basePath)} }`
  options.nitro.virtual = {
    ...options.nitro.virtual,
    [handler]: `${imported}\nexport default auth.handler\n`,
    [plugin]: `${imported}\nexport default nitro => auth.plugin(nitro, ${told})\n`,
  }
  options.nitro.plugins = [plugin, ...(options.nitro.plugins ?? [])]
  options.serverHandlers.unshift({ handler, middleware: true })
  // A rule for all pages would have platforms keep what the endpoints answer.
  const rule = `${withoutBase(basePath, options.app.baseURL)}/**`
  const { routeRules } = options.nitro
  options.nitro.routeRules = { ...routeRules, [rule]: { ...routeRules?.[rule], isr: false } }
  // Links to the endpoints are no pages to prerender.
  const { prerender } = options.nitro
  const ignore = [...(prerender?.ignore ?? []), basePath]
  options.nitro.prerender = { ...prerender, ignore }
}

/** Rules are about paths below `app.baseURL`, which ends with a slash. */
function withoutBase(path: string, baseURL: string): string {
  return path.startsWith(baseURL) ? path.slice(baseURL.length - 1) : path
}

const PLACES = ['utils/auth', 'auth']
const ENDINGS = ['ts', 'mts', 'js', 'mjs']

function findConfiguration(serverDir: string): string | undefined {
  const files = PLACES.flatMap(place =>
    ENDINGS.map(ending => join(serverDir, `${place}.${ending}`)),
  )
  return files.find(file => existsSync(file))
}

function missing(serverDir: string): string {
  return (
    `SiteAuth is not configured. Create ${join(serverDir, 'utils/auth.ts')} with ` +
    "`export const auth = SiteAuth({ providers: [] })`, where SiteAuth is imported from '@siteauth/nuxt/h3'."
  )
}
