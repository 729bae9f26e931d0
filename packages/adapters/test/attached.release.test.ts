import { attachedToServersSuite } from './attached-to-servers-suite.ts'

attachedToServersSuite()
