export default function Admin() {
  return <p>admin</p>
}
