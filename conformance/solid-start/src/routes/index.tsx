import { signOut, useSession } from '@siteauth/solid'
import { A, useAction } from '@solidjs/router'
import { createSignal } from 'solid-js'
import { leave, leaveAndFail, secret } from '../functions'

export default function Home() {
  const session = useSession()
  const askForSecret = useAction(secret)
  const [answer, setAnswer] = createSignal('')
  const ask = async () => {
    try {
      setAnswer(await askForSecret())
    } catch (error) {
      setAnswer(`refused: ${(error as Error).message}`)
    }
  }
  return (
    <>
      <p>{`Hello, ${session().data?.user?.name ?? 'stranger'}`}</p>
      <A href="/private">Private</A>
      <A href="/own">Own</A>
      <A href="/action">Action</A>
      <form method="post" action={leave}>
        <button type="submit">Sign out</button>
      </form>
      <form method="post" action={leaveAndFail}>
        <button type="submit">Sign out and fail</button>
      </form>
      <button type="button" onClick={() => signOut({ redirect: false })}>
        Sign out here
      </button>
      <button type="button" onClick={ask}>
        Secret
      </button>
      <output>{answer()}</output>
    </>
  )
}
