export * from './lib/errors.ts'
export { MissingSecretError as MissingSecret } from './lib/errors.ts'
