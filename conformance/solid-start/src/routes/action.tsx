import { createAsync, useSubmission } from '@solidjs/router'
import { enter, enterQuietly, rename, sessionOfPage } from '../functions'

export default function Action() {
  const session = createAsync(() => sessionOfPage(), { deferStream: true })
  const submission = useSubmission(enter)
  return (
    <>
      <p>{`Action: ${session()?.user?.name ?? 'stranger'}`}</p>
      <p>{typeof submission.result === 'string' ? submission.result : ''}</p>
      <form id="enter" method="post" action={enter}>
        <input name="name" />
        <input name="password" type="password" />
        <button type="submit">Enter</button>
      </form>
      <form id="quiet" method="post" action={enterQuietly}>
        <input name="name" value="Ada" />
        <input name="password" value="right" />
        <button type="submit">Enter quietly</button>
      </form>
      <form method="post" action={rename}>
        <input name="name" value="Countess" />
        <button type="submit">Rename</button>
      </form>
    </>
  )
}
