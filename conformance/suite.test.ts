import { integrationSuite } from '@siteauth/testing/integration'
import { startApplication } from './start-application.mjs'

const { CONFORMANCE_FOLDER: folder, CONFORMANCE_SCRIPT: script = 'start' } = process.env
if (!folder) throw new Error('Which application? npm run test:frameworks -- hono')

integrationSuite({ name: folder, start: env => startApplication(folder, env, script) })
