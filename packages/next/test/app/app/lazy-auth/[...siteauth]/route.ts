import { lazy } from '../../../auth'

export const { GET, POST } = lazy.handlers
