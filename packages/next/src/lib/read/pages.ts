// What reads sessions in pages and routes, in one module.
export { pageSession } from './page-session.ts'
export { requireSession } from './require-session.ts'
