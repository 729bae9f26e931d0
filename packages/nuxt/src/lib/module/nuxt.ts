// What is used of Nuxt, which is too large to install for its types alone. conformance/nuxt is built with the real one.

/** Nuxt while it builds. */
export interface NuxtLike {
  hook(name: 'imports:sources', run: (sources: ImportSource[]) => void): unknown
  hook(name: 'app:resolve', run: (app: { middleware: Middleware[] }) => void): unknown
  readonly options: {
    readonly rootDir: string
    readonly buildDir: string
    readonly serverDir: string
    readonly app: { readonly baseURL: string }
    readonly build: { readonly templates: Template[] }
    readonly plugins: (string | { src: string })[]
    readonly serverHandlers: { handler: string; middleware?: boolean }[]
    readonly nitro: {
      plugins?: string[]
      virtual?: Record<string, string | (() => string)>
      prerender?: { ignore?: unknown[] }
      routeRules?: Record<string, object>
    }
    /** Whether only types are generated, as after an installation. */
    readonly _prepare?: boolean
    readonly siteauth?: Partial<ModuleOptions>
  }
}

/** What files of the application may use without importing it. */
export interface ImportSource {
  from: string
  imports: string[]
}

/** A middleware for pages. */
export interface Middleware {
  name: string
  path: string
  global?: boolean
}

/** A file that Nuxt writes. */
export interface Template {
  filename: string
  dst?: string
  write?: boolean
  getContents: () => string
}

/** The options of the module: `siteauth` in `nuxt.config.ts`. */
export interface ModuleOptions {
  /** Where the endpoints are, as browsers see it. Defaults to `/auth`, below `app.baseURL`. */
  readonly basePath: string
}
