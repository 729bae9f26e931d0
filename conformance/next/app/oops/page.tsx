/** The page for errors, which the proxy exempts. */
export default function Oops() {
  return <p>Something went wrong.</p>
}
