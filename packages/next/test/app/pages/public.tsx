import type { GetServerSideProps } from 'next'
import { auth } from '../auth'

/** A page that lets caches keep it, whoever asks. */
export const getServerSideProps: GetServerSideProps = async context => {
  await auth(context)
  context.res.setHeader('Cache-Control', 'public, s-maxage=600')
  return { props: {} }
}

export default function Public() {
  return <p>still</p>
}
