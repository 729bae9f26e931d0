export * from '@siteauth/client/webauthn'
