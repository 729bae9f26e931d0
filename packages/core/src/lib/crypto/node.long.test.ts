import { describeCrypto } from '../../../test/crypto/crypto-suite.ts'
import { primitives } from './node.ts'

describeCrypto('Node', primitives)
