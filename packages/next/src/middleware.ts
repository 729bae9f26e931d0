throw new ReferenceError(
  'There is no "middleware" sub-path any more. Export `auth` of your SiteAuth() from proxy.ts, or ' +
    'from middleware.ts before Next 16: export { auth as proxy } from "./auth"',
)

export {}
