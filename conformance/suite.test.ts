import { integrationSuite } from '@siteauth/testing/integration'
import { startApplication } from './start-application.mjs'

const folder = process.env['CONFORMANCE_FOLDER']
if (!folder) throw new Error('Which application? npm run test:frameworks -- hono')

integrationSuite({ name: folder, start: env => startApplication(folder, env) })
