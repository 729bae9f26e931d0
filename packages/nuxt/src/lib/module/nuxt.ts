// What is used of Nuxt, which is too large to install for its types alone. conformance/nuxt is built with the real one.

/** Nuxt while it builds. */
export interface NuxtLike {
  readonly options: {
    readonly rootDir: string
    readonly buildDir: string
    readonly serverDir: string
    readonly app: { readonly baseURL: string }
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

/** The options of the module: `siteauth` in `nuxt.config.ts`. */
export interface ModuleOptions {
  /** Where the endpoints are, as browsers see it. Defaults to `/auth`, below `app.baseURL`. */
  readonly basePath: string
}
