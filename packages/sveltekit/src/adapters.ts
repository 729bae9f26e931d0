export type * from '@siteauth/core/adapters'
