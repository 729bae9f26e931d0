import { handlers } from '../../../passkeys'

export const { GET, POST } = handlers
