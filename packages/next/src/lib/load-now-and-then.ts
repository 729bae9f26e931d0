import { type Lazy, lazily } from '@siteauth/core/integration'

/** Runs what most requests do without. */
export const nowAndThen: Lazy<typeof import('./now-and-then.ts')> = lazily(
  () => import('./now-and-then.ts'),
)
