throw new ReferenceError(
  'The "middleware" sub-path no longer exists. Export `auth` from your SiteAuth() in proxy.ts, or ' +
    'in middleware.ts before Next 16: export { auth as proxy } from "./auth"',
)

export {}
