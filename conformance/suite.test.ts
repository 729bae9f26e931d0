import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { integrationSuite, type RawRequest } from '@siteauth/testing/integration'
import { startApplication } from './start-application.mjs'

const { CONFORMANCE_FOLDER: folder, CONFORMANCE_SCRIPT: script = 'start' } = process.env
if (!folder) throw new Error('Which application? npm run test:frameworks -- hono')

const { functionCalls } = await attacksOn(folder)
integrationSuite({
  name: folder,
  start: env => startApplication(folder, env, script),
  functionCalls,
})

/** What an application says in `attacks.ts`, if it has functions that clients call. */
interface Attacks {
  readonly functionCalls?: ((origin: string) => Promise<readonly RawRequest[]>) | undefined
}

async function attacksOn(folder: string): Promise<Attacks> {
  const file = join(import.meta.dirname, folder, 'attacks.ts')
  return existsSync(file) ? import(pathToFileURL(file).href) : {}
}
