import { MemoryAdapter } from '@siteauth/adapters/memory'
import { guardProbe, integrationConfig } from '@siteauth/testing/integration-config'
import { createApp } from '../../packages/hono/test/application.ts'

/** The application that the suite asks for: one with Hono, which runs on all of them. */
export function createApplication(env) {
  return createApp(integrationConfig(env, MemoryAdapter()), guardProbe(env))
}
