import { SolidAuth } from '@siteauth/solid-start'
import { oldConfig } from '../../../old-config'

export const { GET, POST } = SolidAuth(oldConfig)
