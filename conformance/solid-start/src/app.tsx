import { SessionProvider } from '@siteauth/solid'
import { createAsync, Router } from '@solidjs/router'
import { FileRoutes } from '@solidjs/start/router'
import { ErrorBoundary, Show, Suspense } from 'solid-js'
import { sessionOfPage } from './functions'

export default function App() {
  return (
    <Router
      singleFlight
      root={props => {
        const session = createAsync(() => sessionOfPage(), { deferStream: true })
        return (
          <ErrorBoundary fallback={error => <p>Failed: {String(error.message)}</p>}>
            <Suspense>
              <Show when={session() !== undefined}>
                <SessionProvider basePath="/auth" session={session()}>
                  <Suspense>{props.children}</Suspense>
                </SessionProvider>
              </Show>
            </Suspense>
          </ErrorBoundary>
        )
      }}
    >
      <FileRoutes />
    </Router>
  )
}
