/** Rendered when the application is built, and the same for everybody. */
export default function Page() {
  return <p>still</p>
}
