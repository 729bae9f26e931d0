import { type Lazy, lazily } from '@siteauth/core/integration'

/** Runs what asks Next about the current request: a proxy is given its own. */
export const withinNext: Lazy<typeof import('./within-next.ts')> = lazily(
  () => import('./within-next.ts'),
)

/** Runs what signs people in and out: most requests only ask who they are from. */
export const serverCalls: Lazy<typeof import('./server-calls.ts')> = lazily(
  () => import('./server-calls.ts'),
)
