import { type Lazy, lazily } from '../base/awaitable.ts'

/** Runs what answers requests to the endpoints: most requests only ask who they are from. */
export const endpoints: Lazy<typeof import('./respond.ts')> = lazily(() => import('./respond.ts'))
