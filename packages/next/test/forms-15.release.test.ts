import { SIGN_IN_ROUTES, TOKEN_ROUTES } from './app-routes.ts'
import { formsSuite } from './forms-suite.ts'

// The engine signs people in, and is the same on both versions. The middleware of this one has a world of its
// own, in which it shares no tokens with pages.
formsSuite(15, [...SIGN_IN_ROUTES, ...TOKEN_ROUTES, 'app/links'])
