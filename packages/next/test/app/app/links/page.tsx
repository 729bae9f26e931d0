import Link from 'next/link'

/** A page from which Next fetches another before anybody wants it. */
export default function Links() {
  return (
    <Link href="/api/auth/signin?callbackUrl=/page" prefetch>
      Sign in
    </Link>
  )
}
