import { headers } from 'next/headers'

/** A page that is rendered for each request, and asks nobody. */
export default async function Page() {
  await headers()
  return <p>Hello, Ann Example</p>
}
