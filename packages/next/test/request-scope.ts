import { AsyncLocalStorage } from 'node:async_hooks'
import { workAsyncStorage } from 'next/dist/server/app-render/work-async-storage.external.js'
import {
  type RequestStore,
  workUnitAsyncStorage,
} from 'next/dist/server/app-render/work-unit-async-storage.external.js'
import { createRequestStore } from 'next/dist/server/async-storage/request-store.js'
import { createWorkStore } from 'next/dist/server/async-storage/work-store.js'
import { NextRequest } from 'next/server.js'

/** Where Next runs code of an application. In a page, no cookie can be set. */
export type Place = 'page' | 'action' | 'route handler'

/** What came of code that Next runs for a request. */
interface Ran<Value> {
  /** What it returned; undefined if it threw. */
  readonly value?: Value
  readonly thrown?: unknown
  /** The digest of what it threw, by which Next knows a redirect. */
  readonly digest?: string | undefined
  /** The `Set-Cookie` headers of the response. */
  readonly setCookies: readonly string[]
}

/** Runs code as Next does in a page, an action or a route handler, with Next's own `headers()` and `cookies()`. */
export async function runInNext<Value>(
  place: Place,
  headers: Record<string, string>,
  run: (request: NextRequest, store: RequestStore) => Promise<Value>,
): Promise<Ran<Value>> {
  makeReal(workAsyncStorage)
  makeReal(workUnitAsyncStorage)
  let setCookies: readonly string[] = []
  const request = new NextRequest('https://example.com/account', {
    headers: { host: 'example.com', ...headers },
  })
  const store = createRequestStore({
    phase: place === 'page' ? 'render' : 'action',
    headers: request.headers,
    url: request.nextUrl,
    onUpdateCookies: lines => {
      setCookies = lines
    },
    rootParams: {},
    implicitTags: { tags: [], expirationsByCacheKind: new Map() },
    resumeDataCache: null,
    previewProps: undefined,
    isHmrRefresh: false,
    serverComponentsHmrCache: undefined,
    hmrRefreshHash: undefined,
    stagedFallbackParams: null,
  })
  const call = () => workUnitAsyncStorage.run(store, () => run(request, store))
  try {
    return { value: await workAsyncStorage.run(workStore(), call), setCookies }
  } catch (thrown) {
    return { thrown, digest: (thrown as { digest?: string }).digest, setCookies }
  }
}

function workStore() {
  return createWorkStore({
    page: '/account/page',
    buildId: 'test',
    deploymentId: '',
    previouslyRevalidatedTags: [],
    renderOpts: {
      cacheComponents: false,
      experimental: {},
      onClose() {},
    } as unknown as Parameters<typeof createWorkStore>[0]['renderOpts'], // as much as is read here
  })
}

/** Next makes do without storage if its files are loaded before Node's class is global, as in other tests. */
function makeReal<Store>(storage: Pick<AsyncLocalStorage<Store>, 'run' | 'getStore'>): void {
  if (storage instanceof AsyncLocalStorage || Object.hasOwn(storage, 'run')) return
  const real = new AsyncLocalStorage<Store>()
  Object.assign(storage, {
    run: (store: Store, call: () => unknown) => real.run(store, call),
    getStore: () => real.getStore(),
  })
}
