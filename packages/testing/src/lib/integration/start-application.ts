import type { SiteVariables } from './site.ts'

/** An application that was started. */
export interface RunningApplication {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string
  stop(): unknown
}

/** Starts the application with these variables, which `integrationConfig` reads. */
export type StartApplication = (env: SiteVariables) => Promise<RunningApplication>
