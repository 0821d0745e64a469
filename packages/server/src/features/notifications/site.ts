/** Where the pages of the product are. */
export interface Site {
  publicUrl(): string;
}
