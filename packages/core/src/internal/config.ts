export { modeOf, processEnv } from '../lib/config/env.ts'
export { requireConfig, resolveConfig } from '../lib/config/resolution/resolve-config.ts'
export { atPaths } from '../lib/config/site-address.ts'
export { isPublishedSecret } from '../lib/crypto/published-secrets.ts'
