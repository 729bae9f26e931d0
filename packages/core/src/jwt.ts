export type { DefaultJWT, JWT } from './lib/base/session.ts'
export {
  decode,
  encode,
  type GetTokenParams,
  getToken,
  type JWTDecodeParams,
  type JWTEncodeParams,
  type JWTOptions,
} from './lib/session/jwt/jwt.ts'
