import { describeCrypto } from '../../../test/crypto/crypto-suite.ts'
import { primitives } from './web.ts'

describeCrypto('WebCrypto', primitives)
