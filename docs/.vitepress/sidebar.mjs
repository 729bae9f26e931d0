import { readdirSync, readFileSync } from 'node:fs'

/** The site's menu. `tools/check-docs.mjs` fails if it leaves out a page. */
export const sidebar = [
  {
    text: 'Start',
    items: [
      { text: 'What it is', link: '/what' },
      { text: 'The same lines in every framework', link: '/every-framework' },
      { text: 'Next.js in five minutes', link: '/start/next' },
      { text: 'Express in five minutes', link: '/start/express' },
      { text: 'SvelteKit in five minutes', link: '/start/sveltekit' },
      { text: 'Nuxt in five minutes', link: '/start/nuxt' },
      { text: 'Astro in five minutes', link: '/start/astro' },
      { text: 'SolidStart in five minutes', link: '/start/solid-start' },
      { text: 'Hono in five minutes', link: '/start/hono' },
      { text: 'Fastify in five minutes', link: '/start/fastify' },
      { text: 'NestJS in five minutes', link: '/start/nestjs' },
      { text: 'React Router in five minutes', link: '/start/react-router' },
      { text: 'TanStack Start in five minutes', link: '/start/tanstack-start' },
    ],
  },
  {
    text: 'Concepts',
    items: [
      { text: 'How signing in works', link: '/concepts/sign-in' },
      { text: 'Sessions', link: '/concepts/sessions' },
      { text: 'Users and accounts', link: '/concepts/accounts' },
      { text: 'Security model', link: '/concepts/security' },
    ],
  },
  {
    text: 'Ways to sign in',
    items: [
      { text: 'Providers', link: '/providers/' },
      { text: 'Your own provider', link: '/guide/own-provider' },
      { text: 'Passwords', link: '/guide/passwords' },
      { text: 'One sign-in page', link: '/guide/sign-in-page' },
      { text: 'Email links and codes', link: '/guide/email' },
      { text: 'Passkeys', link: '/guide/passkeys' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Express', link: '/guide/express' },
      { text: 'Next.js', link: '/guide/next' },
      { text: 'React', link: '/guide/react' },
      { text: 'Vue, Svelte, Solid', link: '/guide/clients' },
      { text: 'Hono', link: '/guide/hono' },
      { text: 'SvelteKit', link: '/guide/sveltekit' },
      { text: 'Astro', link: '/guide/astro' },
      { text: 'Nuxt', link: '/guide/nuxt' },
      { text: 'SolidStart', link: '/guide/solid-start' },
      { text: 'Fastify', link: '/guide/fastify' },
      { text: 'NestJS', link: '/guide/nestjs' },
      { text: 'React Router', link: '/guide/react-router' },
      { text: 'TanStack Start', link: '/guide/tanstack-start' },
      { text: 'Any other server', link: '/guide/web' },
      { text: 'Your own framework', link: '/guide/own-framework' },
      { text: 'Protecting routes', link: '/guide/protecting' },
      { text: 'How long sessions last', link: '/guide/lifetimes' },
      { text: 'Ending sessions', link: '/guide/ending-sessions' },
      { text: 'Logout', link: '/guide/logout' },
      { text: 'Devices', link: '/guide/devices' },
      { text: 'Calling a provider’s API', link: '/guide/provider-tokens' },
      { text: 'Callbacks and events', link: '/guide/callbacks' },
      { text: 'Pages', link: '/guide/pages' },
      { text: 'Stores', link: '/guide/adapters' },
      { text: 'Your own types', link: '/guide/types' },
      { text: 'The command line', link: '/guide/command-line' },
      { text: 'Unit tests', link: '/guide/testing' },
      { text: 'Browser tests', link: '/guide/browser-tests' },
      { text: 'Recipes', link: '/guide/recipes' },
    ],
  },
  {
    text: 'In production',
    items: [
      { text: 'Behind a proxy', link: '/guide/proxies' },
      { text: 'Limits', link: '/guide/limits' },
      { text: 'On the edge', link: '/guide/edge' },
      { text: 'Scaling out', link: '/guide/scaling' },
      { text: 'Migrations on live tables', link: '/guide/migrations' },
      { text: 'Many tenants', link: '/guide/tenants' },
      { text: 'When a store fails', link: '/guide/store-faults' },
      { text: 'Statements per flow', link: '/guide/statements' },
    ],
  },
  {
    text: 'Migrating',
    items: [
      { text: 'From Auth.js', link: '/guide/from-authjs' },
      { text: 'All differences', link: '/differences' },
      { text: 'From Passport', link: '/guide/from-passport' },
      { text: 'Compared', link: '/compared' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Options', link: '/reference/options' },
      { text: 'Environment variables', link: '/reference/environment' },
      { text: 'Endpoints and cookies', link: '/reference/endpoints' },
      { text: 'Errors and warnings', link: '/errors' },
      { text: 'API', link: '/reference/api/' },
      { text: 'Frameworks', link: '/frameworks' },
      { text: 'By alias', link: '/aliases' },
      { text: 'Runtimes', link: '/runtimes' },
      { text: 'Stability and support', link: '/stability' },
    ],
  },
  { text: 'Design decisions', collapsed: true, items: decisions() },
]

function decisions() {
  const folder = new URL('../decisions/', import.meta.url)
  return readdirSync(folder)
    .filter(file => file.endsWith('.md'))
    .sort()
    .map(file => {
      const [title] = readFileSync(new URL(file, folder), 'utf8').match(/(?<=^# ).+/) ?? [file]
      return { text: title.replace(/^\d+\.?\s*/, ''), link: `/decisions/${file.slice(0, -3)}` }
    })
}
