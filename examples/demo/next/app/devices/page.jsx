import { redirect } from 'next/navigation'
import { askForPanels, tellDesk } from '../../../tell-desk.js'
import { deviceName, timeInWords } from '../../../window/device-words.js'
import { currentMode, sessions } from '../../auth.js'
import { Drawn } from '../drawn.jsx'

export default async function Devices() {
  const devices = await sessions.list()
  if (devices.length === 0) redirect('/')
  const mode = await currentMode()
  const { head } = await askForPanels({ app: 'Next.js', mode, session: null, cookies: '' })
  return (
    <>
      <Drawn html={head} />
      <main>
        <section className="hero">
          <p className="eyebrow">An application on Next.js</p>
          <h1>Your devices</h1>
          <a href="/">Back</a>
        </section>
        <section className="card">
          <ul className="devices">
            {devices.map(session => (
              <Device key={session.handle} session={session} />
            ))}
          </ul>
          <form action={endOthers}>
            <button type="submit">Sign out everywhere else</button>
          </form>
        </section>
      </main>
    </>
  )
}

function Device({ session }) {
  const { handle, isCurrent, provider, createdAt, lastSeenAt } = session
  return (
    <li>
      <div>
        <strong>{deviceName(session)}</strong> {isCurrent && <mark>This one</mark>}
        <p className="quiet">
          By {provider}, since {timeInWords(createdAt)}. Last seen {timeInWords(lastSeenAt)}.
        </p>
      </div>
      <form action={endOne}>
        <input type="hidden" name="handle" value={handle} />
        <button className="plain" type="submit" aria-label={`Sign out ${deviceName(session)}`}>
          Sign out
        </button>
      </form>
    </li>
  )
}

async function endOne(form) {
  'use server'
  await sessions.end(String(form.get('handle')))
  await tellDesk('Next.js', 'endSession', 'A session was ended from another device')
  redirect('/devices')
}

async function endOthers() {
  'use server'
  await sessions.endOthers()
  await tellDesk('Next.js', 'endSession', 'All sessions but one were ended')
  redirect('/devices')
}
