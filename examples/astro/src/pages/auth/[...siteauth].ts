import { auth } from '../../auth'

export const ALL = auth.endpoint
