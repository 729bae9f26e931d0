import { handlers } from '../../../passwords'

export const { GET, POST } = handlers
