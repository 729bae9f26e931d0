import { type Session, signIn, signOut, siteAuth, useSession } from '@siteauth/vue'
import { type App, createSSRApp, defineComponent, h } from 'vue'

const Page = defineComponent(() => {
  const { data, status } = useSession()
  const ann = { name: 'Ann', redirect: false }
  return () => [
    h('p', `${status.value}: ${data.value?.user?.name ?? 'nobody'}`),
    h('button', { onClick: () => signIn('credentials', ann) }, 'Sign in'),
    h('button', { onClick: () => signOut({ redirect: false }) }, 'Sign out'),
  ]
})

export function createPage(session: Session | null | undefined): App {
  return createSSRApp(Page).use(siteAuth({ basePath: '/auth', session }))
}
