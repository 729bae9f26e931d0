import { LoginForm } from './form'

export default async function Login({
  searchParams,
}: {
  searchParams: Promise<{ callbackUrl?: string }>
}) {
  const { callbackUrl = '/' } = await searchParams
  return (
    <>
      <h1>Sign in</h1>
      <LoginForm redirectTo={callbackUrl} />
    </>
  )
}
