import { type Lazy, lazily } from '@siteauth/core/integration'

/** Runs what asks Next about the current request. */
export const withinNext: Lazy<typeof import('./within-next.ts')> = lazily(
  () => import('./within-next.ts'),
)
