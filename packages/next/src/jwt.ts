export * from '@siteauth/core/jwt'
