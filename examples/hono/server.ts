import { serve } from '@hono/node-server'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/hono'
import { Hono } from 'hono'
import { html } from 'hono/html'

const auth = SiteAuth({
  providers: [
    GitHub,
    // To try it without GitHub. Instead of this, look the user up and compare a hash of the password.
    Credentials({
      credentials: { name: { label: 'Name' }, password: { label: 'Password', type: 'password' } },
      authorize: ({ name, password }) =>
        name === 'ada' && password === 'open sesame' ? { id: 'ada', name: 'Ada' } : null,
    }),
  ],
})

const app = new Hono()
app.use(auth.handler) // the endpoints and their pages

app.get('/', auth.sessionMiddleware, c => {
  const { user } = c.var.session ?? {}
  return c.html(
    page(
      user
        ? html`<p>Hello, ${user.name}. <a href="/account">Your account</a></p>
            <form method="post" action="/logout"><button>Sign out</button></form>`
        : html`<p>Hello, stranger. <a href="/account">Your account</a></p>
            <form method="post" action="/login"><button>Sign in</button></form>`,
    ),
  )
})

app.get('/account', auth.requireSession(), c =>
  c.html(page(html`<p>The account of ${c.var.session.user?.name}</p>`)),
)
app.get('/api/me', auth.requireSession(), c => c.json(c.var.session.user))

app.post('/login', c => auth.signIn(c))
app.post('/logout', c => auth.signOut(c, { redirectTo: '/' }))

const port = Number(process.env.PORT ?? 3000)
serve({ fetch: app.fetch, port }, () => console.log(`http://localhost:${port}`))

function page(body: ReturnType<typeof html>) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width" />
        <title>Example</title>
      </head>
      <body style="font: 1rem/1.5 system-ui; max-width: 30rem; margin: 4rem auto; padding: 0 1rem">
        ${body}
      </body>
    </html>`
}
