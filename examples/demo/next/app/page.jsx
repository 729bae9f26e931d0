import { cookies, headers } from 'next/headers'
import { askForPanels } from '../../tell-desk.js'
import { auth, currentMode, signOut } from '../auth.js'
import { Drawn } from './drawn.jsx'

export default async function Home() {
  const session = await auth()
  const mode = await currentMode()
  const sent = (await headers()).get('cookie') ?? ''
  const { head, panels } = await askForPanels({ app: 'Next.js', mode, session, cookies: sent })
  const name = session?.user?.name ?? session?.user?.email
  return (
    <>
      <Drawn html={head} />
      <main>
        <section className="hero">
          <p className="eyebrow">An application on Next.js</p>
          <h1>{name ? `Hello, ${name}` : 'Nobody is signed in'}</h1>
          {session ? (
            <>
              <form action={leave}>
                <button type="submit">Sign out</button>
              </form>
              <a href="/devices">Your devices</a>
            </>
          ) : (
            <a className="button" href="/api/auth/signin?callbackUrl=/">
              Sign in
            </a>
          )}
          <form className="switch" action={choose} aria-label="Where the session is kept">
            <span>Session</span>
            <Choice value="sqlite" isChosen={mode === 'sqlite'} words="In SQLite" />
            <Choice value="cookie" isChosen={mode === 'cookie'} words="In the cookie" />
          </form>
        </section>
        <Drawn html={panels} />
      </main>
    </>
  )
}

async function leave() {
  'use server'
  await signOut({ redirectTo: '/' })
}

async function choose(form) {
  'use server'
  const jar = await cookies()
  jar.set('demo.sessions', String(form.get('mode')), { httpOnly: true, sameSite: 'lax' })
}

function Choice({ value, isChosen, words }) {
  return (
    <button className="choice" type="submit" name="mode" value={value} aria-pressed={isChosen}>
      {words}
    </button>
  )
}
