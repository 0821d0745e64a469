/** Leaves the app by a full-page navigation to an address of the server, such as a provider's consent. */
export function leaveFor(address: string): void {
  window.location.assign(address);
}
