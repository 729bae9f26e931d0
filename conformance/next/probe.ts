import { guardProbe } from '@siteauth/testing/integration-config'

export const probe = guardProbe(process.env)
