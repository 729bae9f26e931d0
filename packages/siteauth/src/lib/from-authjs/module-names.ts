/** The package that takes the place of one of Auth.js. */
interface Successor {
  readonly package: string
  /** What can be imported below it, under the name it had. */
  readonly entries: readonly string[]
  /** What can be imported from elsewhere, by the name it had below the old package. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

const PROVIDERS = ['providers', 'providers/*']

/** Packages of Auth.js, and what takes their place; null if nothing does. */
const PACKAGES: Readonly<Record<string, Successor | null>> = {
  'next-auth': {
    package: '@siteauth/next',
    entries: ['adapters', 'jwt', 'middleware', 'next', 'react', 'webauthn', ...PROVIDERS],
    // What used it is rewritten before names are. Types of v4 were deeper down.
    elsewhere: {
      next: '@siteauth/next',
      core: '@siteauth/next',
      'core/types': '@siteauth/next',
      'jwt/types': '@siteauth/next/jwt',
      'react/types': '@siteauth/next/react',
      'providers/index': '@siteauth/next/providers',
    },
  },
  '@auth/core': {
    package: '@siteauth/core',
    entries: ['adapters', 'errors', 'jwt', 'types', ...PROVIDERS],
  },
  '@auth/express': { package: '@siteauth/express', entries: ['adapters', ...PROVIDERS] },
  '@auth/sveltekit': {
    package: '@siteauth/sveltekit',
    entries: ['adapters', 'client', ...PROVIDERS],
  },
  '@auth/solid-start': {
    package: '@siteauth/solid-start',
    entries: [],
    elsewhere: {
      adapters: '@siteauth/core/adapters',
      client: '@siteauth/solid',
      providers: '@siteauth/core/providers',
      'providers/*': '@siteauth/core/providers/*',
    },
  },
  '@hono/auth-js': {
    package: '@siteauth/hono',
    entries: [],
    elsewhere: { react: '@siteauth/react' },
  },
  '@auth/qwik': null,
}

/** What to do about modules and names that nothing takes the place of. */
const GONE: Readonly<Record<string, string>> = {
  '@auth/qwik':
    'There is no package for Qwik: use `createAuth` of @siteauth/core, which takes requests and answers with responses.',
  '@auth/sveltekit/components':
    'There are no components: replace <SignIn /> by <form method="POST" action="/auth/signin"><button>Sign in</button></form>, and <SignOut /> by the same with /auth/signout.',
  '@auth/sveltekit/webauthn':
    "Write import { createPasskeyClient } from '@siteauth/svelte/webauthn' and const { signIn } = createPasskeyClient({ basePath: '/auth' }), and install @siteauth/svelte.",
  '@auth/solid-start GetSessionResult':
    'GetSessionResult is gone: write Promise<Session | null>, which is what getSession resolves with.',
  '@hono/auth-js/react authConfigManager':
    'authConfigManager is gone: give `basePath` to SessionProvider, or take signIn and signOut from createAuthClient({ basePath }) of @siteauth/react.',
  '@hono/auth-js/react useOauthPopupLogin':
    'useOauthPopupLogin is gone: signIn leaves the page, and comes back to it.',
  'next-auth/react __NEXTAUTH': '__NEXTAUTH was internal: give `basePath` to SessionProvider.',
}

/** Adapters for v4 whose successors have other names. */
const ADAPTERS: Readonly<Record<string, string>> = {
  '@next-auth/typeorm-legacy-adapter': '@auth/typeorm-adapter',
}

/** Whether a text may name what {@link isOfAuthjs} is true of: far quicker than to parse it. */
export const MENTION: RegExp = /next-auth|@auth\/|@hono\/auth-js/

/** Whether a package or a module is of Auth.js. Adapters are not meant: they stay. */
export function isOfAuthjs(module: string): boolean {
  return /^@next-auth\//.test(module) || packageOf(module) !== null
}

/** What a module is called now; null if it keeps its name. */
export function newModuleName(module: string): string | null {
  const adapter = /^@next-auth\/[\w-]+-adapter/.exec(module)?.[0]
  if (adapter) {
    const renamed = ADAPTERS[adapter] ?? adapter.replace('@next-auth/', '@auth/')
    return renamed + module.slice(adapter.length)
  }
  const old = packageOf(module)
  const successor = old && PACKAGES[old]
  if (!old || !successor) return null
  const entry = module.slice(old.length + 1)
  if (entry === '') return successor.package
  const [folder = ''] = entry.split('/')
  const rest = entry.slice(folder.length + 1)
  const elsewhere =
    successor.elsewhere?.[entry] ??
    (rest && successor.elsewhere?.[`${folder}/*`]?.replace('*', () => rest))
  if (elsewhere) return elsewhere
  const isEntry = successor.entries.includes(rest ? `${folder}/*` : folder)
  return isEntry ? `${successor.package}/${entry}` : null
}

/** What to do about a module of Auth.js that keeps its name, or about a name that is imported from one that does not. */
export function whatToDo(module: string, name?: string): string | null {
  const known = GONE[name === undefined ? module : `${module} ${name}`]
  if (known || name !== undefined) return known ?? null
  const owner = packageOf(module) ?? module
  return GONE[owner] ?? `Nothing takes the place of ${module}: remove what uses it.`
}

function packageOf(module: string): string | null {
  const found = Object.keys(PACKAGES).find(each => module === each || module.startsWith(`${each}/`))
  return found ?? null
}
