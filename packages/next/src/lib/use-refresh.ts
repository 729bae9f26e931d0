// The names end in `.js` because Next has no map of exports: Node itself finds only files.
import { useRouter as usePagesRouter } from 'next/compat/router.js'
import { useRouter } from 'next/navigation.js'

/**
 * What has Next render again what it rendered on the server, and forget what it keeps of other
 * pages. Nothing in the Pages Router, which would load the page again, and outside Next, as in
 * tests.
 */
export function useRefresh(): (() => void) | undefined {
  const isPages = usePagesRouter() !== null
  const router = useAppRouter()
  return router && !isPages ? () => router.refresh() : undefined
}

function useAppRouter(): ReturnType<typeof useRouter> | undefined {
  try {
    // biome-ignore lint/correctness/useHookAtTopLevel: always called; throws if there is none
    return useRouter()
  } catch {
    return undefined
  }
}
