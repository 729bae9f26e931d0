import type { GetServerSideProps } from 'next'
import { auth } from '../auth'

export const getServerSideProps: GetServerSideProps = async context => {
  const session = await auth(context)
  return { props: { user: session?.user ?? null } }
}

export default function Old({ user }: { user: unknown }) {
  return <pre id="who">{JSON.stringify(user)}</pre>
}
