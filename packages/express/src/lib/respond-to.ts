// Loaded with the first request for an endpoint: most requests only need the session.
export { respondTo } from '@siteauth/core/internal/endpoints'
