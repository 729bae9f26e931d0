// Loaded with the first request for an endpoint: most requests only need the session.
export { answerFor } from '@siteauth/core/internal/endpoints'
