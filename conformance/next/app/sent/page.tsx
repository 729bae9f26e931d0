import { connection } from 'next/server'
import { write, writeAsAda } from './actions'

/** Everybody may see it, also if the proxy guards everything: `pages.verifyRequest`. */
export default async function Sent() {
  await connection()
  return (
    <main>
      <p>Look into your mailbox.</p>
      <form action={write}>
        <button type="submit">Write</button>
      </form>
      <form action={writeAsAda}>
        <button type="submit">Write as Ada</button>
      </form>
    </main>
  )
}
