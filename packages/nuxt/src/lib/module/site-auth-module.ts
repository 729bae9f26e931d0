import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MIDDLEWARE_FILE, pluginFile } from './app-files.ts'
import type { ModuleOptions, NuxtLike } from './nuxt.ts'

/** A module of Nuxt. */
export interface SiteAuthModule {
  (options: Partial<ModuleOptions> | undefined, nuxt: NuxtLike): void
  getMeta(): Promise<{ name: string; configKey: string; compatibility: { nuxt: string } }>
}

/**
 * The Nuxt module: it serves the endpoints with the configuration that `server/utils/auth.ts` exports as `auth`. Pages
 * get `useSession`, `signIn` and `signOut` without an import, and the route middleware `signed-in`.
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

function setUp(given: Partial<ModuleOptions> | undefined, nuxt: NuxtLike): void {
  const { options } = nuxt
  const { basePath = `${options.app.baseURL}auth` } = { ...options.siteauth, ...given }
  setUpPages(nuxt, basePath)
  const file = findConfiguration(options.serverDir)
  if (file) setUpServer(nuxt, basePath, file)
  // Types may be generated before there is a file.
  else if (!options._prepare) throw new Error(missing(options.serverDir))
}

function setUpPages(nuxt: NuxtLike, basePath: string): void {
  const { build, buildDir, plugins } = nuxt.options
  const write = (filename: string, content: string) => {
    const dst = join(buildDir, filename)
    build.templates.push({ filename, dst, write: true, getContents: () => content })
    return dst
  }
  plugins.unshift({ src: write('siteauth/plugin.ts', pluginFile(basePath)) })
  const path = write('siteauth/signed-in.ts', MIDDLEWARE_FILE)
  nuxt.hook('app:resolve', ({ middleware }) => {
    // The application may have its own.
    if (middleware.some(({ name }) => name === 'signed-in')) return
    middleware.push({ name: 'signed-in', path, global: false })
  })
  nuxt.hook('imports:sources', sources => {
    sources.push({ from: '@siteauth/nuxt/app', imports: ['useSession', 'signIn', 'signOut'] })
  })
}

function setUpServer({ options }: NuxtLike, basePath: string, file: string): void {
  const imported = `import { auth } from ${JSON.stringify(file)}`
  const handler = join(options.buildDir, 'siteauth/handler.mjs')
  const plugin = join(options.buildDir, 'siteauth/server.mjs')
  const pageOptions = `{ isPrerendering: import.meta.prerender, basePath: ${JSON.stringify(basePath)} }`
  options.nitro.virtual = {
    ...options.nitro.virtual,
    [handler]: `${imported}\nexport default auth.handler\n`,
    [plugin]: `${imported}\nexport default nitro => auth.plugin(nitro, ${pageOptions})\n`,
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
const EXTENSIONS = ['ts', 'mts', 'js', 'mjs']

function findConfiguration(serverDir: string): string | undefined {
  const files = PLACES.flatMap(place =>
    EXTENSIONS.map(extension => join(serverDir, `${place}.${extension}`)),
  )
  return files.find(file => existsSync(file))
}

function missing(serverDir: string): string {
  return (
    `SiteAuth is not configured. Create ${join(serverDir, 'utils/auth.ts')} with ` +
    "`export const auth = SiteAuth({ providers: [] })`, where SiteAuth is imported from '@siteauth/nuxt/server'."
  )
}
