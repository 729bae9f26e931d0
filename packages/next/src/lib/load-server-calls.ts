import { type Lazy, lazily } from '@siteauth/core/integration'

/** Runs what signs people in and out: most requests only ask who they are from. */
export const serverCalls: Lazy<typeof import('./server-calls.ts')> = lazily(
  () => import('./server-calls.ts'),
)
