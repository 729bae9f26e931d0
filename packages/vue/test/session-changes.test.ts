import type { Session } from '@siteauth/core/types'
import { signOut, siteAuth, useSession } from '@siteauth/vue'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type App,
  type Component,
  createRenderer,
  defineComponent,
  h,
  KeepAlive,
  nextTick,
  shallowRef,
} from 'vue'
import { stubPage } from '../../client/test/stub-page.ts'

const ANN: Session = { user: { name: 'Ann' }, expires: '2099-01-01T00:00:00.000Z' }
const BOB: Session = { user: { name: 'Bob' }, expires: '2099-01-01T00:00:00.000Z' }

afterEach(() => vi.unstubAllGlobals())

interface FakeNode {
  readonly children: FakeNode[]
  parent?: FakeNode | null
  text: string
}

const node = (text = ''): FakeNode => ({ children: [], text })

/** Renders to plain objects: there is no page here. */
const { createApp } = createRenderer<FakeNode, FakeNode>({
  createElement: () => node(),
  createText: node,
  createComment: node,
  setText,
  setElementText: setText,
  insert(child, parent, anchor) {
    remove(child)
    const at = anchor ? parent.children.indexOf(anchor) : parent.children.length
    parent.children.splice(at, 0, child)
    child.parent = parent
  },
  remove,
  patchProp() {},
  parentNode: ({ parent }) => parent ?? null,
  nextSibling: child => child.parent?.children[child.parent.children.indexOf(child) + 1] ?? null,
})

function setText(target: FakeNode, text: string): void {
  target.text = text
}

function remove(child: FakeNode): void {
  const siblings = child.parent?.children
  if (siblings?.includes(child)) siblings.splice(siblings.indexOf(child), 1)
  child.parent = null
}

function textOf({ text, children }: FakeNode): string {
  return text + children.map(textOf).join('|')
}

function open(root: Component, session: Parameters<typeof siteAuth>[0]): [FakeNode, App<FakeNode>] {
  const [page, app] = [node(), createApp(root)]
  app.use(siteAuth({ basePath: '/auth', ...session })).mount(page)
  onTestFinished(() => app.unmount())
  return [page, app]
}

const Who = defineComponent(() => {
  const { data, status } = useSession()
  return () => h('p', `${status.value}: ${data.value?.user?.name ?? 'nobody'}`)
})

describe('a component that is kept alive', () => {
  const view = shallowRef<'who' | 'public'>('who')
  const onUnauthenticated = vi.fn()
  const Member = defineComponent(() => {
    const { data } = useSession({ required: true, onUnauthenticated })
    return () => h('p', data.value?.user?.name ?? 'nobody')
  })
  const Root = defineComponent(
    () => () => h(KeepAlive, () => h(view.value === 'who' ? Member : Who)),
  )

  it('shows nobody who has signed out, and sends people away when it is seen again, not before', async () => {
    view.value = 'who'
    const server = stubPage(ANN)
    const [page] = open(Root, { session: ANN })
    expect(textOf(page)).toBe('Ann')
    view.value = 'public'
    await nextTick()
    server.answer = null
    await signOut({ redirect: false })
    await vi.waitFor(() => expect(textOf(page)).toBe('unauthenticated: nobody'))
    expect(onUnauthenticated).not.toHaveBeenCalled()
    view.value = 'who'
    await vi.waitFor(() => expect(onUnauthenticated).toHaveBeenCalledTimes(1))
    expect(textOf(page)).toBe('nobody')
  })
})

it('a component that cannot render without somebody keeps no other from knowing', async () => {
  const Careless = defineComponent(() => {
    const { data } = useSession()
    return () => h('p', (data.value as Session & { user: { name: string } }).user.name)
  })
  const server = stubPage(ANN)
  const root = defineComponent(() => () => [h(Careless), h(Who)])
  const [page, app] = open(root, { session: ANN })
  app.config.errorHandler = () => {}
  server.answer = null
  await signOut({ redirect: false })
  await vi.waitFor(() => expect(textOf(page)).toContain('unauthenticated: nobody'))
})

it('a session that the application gives again after a sign-out is not believed', async () => {
  const server = stubPage(ANN)
  server.mark('in')
  const session = shallowRef<Session | null>(ANN)
  const [page] = open(Who, { session })
  server.answer = null
  server.mark('out')
  await vi.waitFor(() => expect(textOf(page)).toContain('unauthenticated'))
  session.value = null
  session.value = { ...ANN }
  await nextTick()
  expect(textOf(page)).toContain('unauthenticated: nobody')
})

it('two applications on a page that are told different sessions keep them apart', () => {
  stubPage(null)
  const [first] = open(Who, { session: ANN })
  const [second] = open(Who, { session: BOB, basePath: '/other' })
  expect([first, second].map(textOf)).toEqual(['authenticated: Ann', 'authenticated: Bob'])
})
