import { killSuite } from './kill-suite.ts'
import { MORTAL_STORES, type StoreName } from './stores.ts'

// Sound: the names of what it has.
for (const name of Object.keys(MORTAL_STORES) as StoreName[]) killSuite(name, ['database', 'jwt'])
