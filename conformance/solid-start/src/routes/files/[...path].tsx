import { createAsync } from '@solidjs/router'
import { readFile, writeFile } from '../../guarded'

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
