export {
  createHasher,
  type PasswordHasher,
  type PasswordVerification,
} from './lib/passwords/hasher.ts'
export {
  type BetterAuthAccount,
  type BetterAuthImportOptions,
  type BetterAuthImportResult,
  type BetterAuthUser,
  importBetterAuth,
} from './lib/passwords/import-better-auth.ts'
export { pwnedPasswordsFile } from './lib/passwords/pwned-file.ts'
export { type PwnedPasswordsOptions, pwnedPasswords } from './lib/passwords/pwned-passwords.ts'
export {
  aspNetIdentity,
  type BcryptOptions,
  bcrypt,
  betterAuth,
  type CompareBcrypt,
  devise,
  django,
  type FirebaseParameters,
  firebase,
  laravel,
  phpass,
  wordpress,
} from './lib/passwords/verifiers.ts'
export type {
  Argon2Cost,
  Blocklist,
  HashArgon2,
  PasswordHashing,
  PasswordRules,
  PasswordVerifier,
  ScryptCost,
} from './lib/providers/password.ts'
