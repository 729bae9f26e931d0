export { auth as proxy } from './auth'

export const config = { matcher: ['/((?!_next/static/|still\\.txt$).*)'] }
