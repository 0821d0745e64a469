/** Leaves the app with a full-page navigation to an address of the server, such as a provider's consent page. */
export function leaveFor(address: string): void {
  window.location.assign(address);
}
