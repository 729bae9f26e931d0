import formbody from '@fastify/formbody'
import Credentials from '@siteauth/core/providers/credentials'
import GitHub from '@siteauth/core/providers/github'
import { SiteAuth } from '@siteauth/fastify'
import Fastify from 'fastify'
import { html } from './html.js'

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

const app = Fastify()
await app.register(formbody) // for your own forms
await app.register(auth.plugin) // the endpoints and their pages

app.get('/', async (request, reply) => {
  const session = await auth.getSession(request)
  return reply.type('text/html').send(
    session
      ? html`<p>Hello, ${session.user?.name}. <a href="/account">Your account</a></p>
          <form method="post" action="/logout"><button>Sign out</button></form>`
      : html`<p>Hello, stranger. <a href="/account">Your account</a></p>
          <form method="post" action="/login"><button>Sign in</button></form>`,
  )
})

const signedIn = { preHandler: auth.requireSession() }

app.get('/account', signedIn, async (request, reply) =>
  reply.type('text/html').send(html`<p>The account of ${request.session.user?.name}</p>`),
)
app.get('/api/me', signedIn, async request => request.session.user)

app.post('/login', request => auth.signIn(request))
app.post('/logout', request => auth.signOut(request, { redirectTo: '/' }))

const port = Number(process.env.PORT ?? 3000)
await app.listen({ port })
console.log(`http://localhost:${port}`)
