export type {
  ImportSource,
  Middleware,
  ModuleOptions,
  NuxtLike,
  Template,
} from './lib/module/nuxt.ts'
export { type SiteAuthModule, siteAuthModule as default } from './lib/module/site-auth-module.ts'
