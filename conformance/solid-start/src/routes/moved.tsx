import { Navigate } from '@solidjs/router'

export default function Moved() {
  return <Navigate href="/" />
}
