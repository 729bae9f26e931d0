// A module of its own, so that bundlers put it and what it needs aside.
export { respond } from '@siteauth/core/integration'
