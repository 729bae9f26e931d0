import { createFileRoute } from '@tanstack/react-router'
import { readFile, writeFile } from '../guarded'

// Guarded by its server functions alone.
export const Route = createFileRoute('/files/$')({
  loader: () => readFile(),
  component: Files,
})

function Files() {
  return (
    <button type="button" onClick={() => writeFile()}>
      {Route.useLoaderData()}
    </button>
  )
}
