import { afterAll, beforeAll, describe } from 'vitest'
import { attachedSuite } from '../../core/test/accounts/attached-suite.ts'
import { type OpenStore, OUR_STORES } from './stores.ts'

// Memory and SQLite, which need no server, have tests of their own.
const SERVERS = OUR_STORES.filter(({ name }) => name !== 'memory' && name !== 'SQLite')

/** @param reach see `attachedSuite` */
export function attachedToServersSuite(reach?: number): void {
  describe.each(SERVERS)('$name', ({ isThere, open }) => {
    describe.skipIf(!isThere)('as a server', () => {
      let store: OpenStore
      beforeAll(async () => {
        store = await open()
      })
      afterAll(() => store.close())

      attachedSuite(
        ['database', 'jwt'],
        async () => ({ adapter: store.adapter, close: () => {} }),
        reach,
      )
    })
  })
}
