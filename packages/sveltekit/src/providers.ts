export type * from '@siteauth/core/providers'
