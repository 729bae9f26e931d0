import { createAsync, type RouteDefinition } from '@solidjs/router'
import { readFile, writeFile } from '../../guarded'

// What comes with the answer to an action if the router asks for it.
export const route = { preload: () => readFile() } satisfies RouteDefinition

// Guarded by its server functions alone.
export default function Files() {
  const text = createAsync(() => readFile(), { deferStream: true })
  return (
    <>
      <p>{text()}</p>
      <form method="post" action={writeFile}>
        <button type="submit">Write</button>
      </form>
    </>
  )
}
